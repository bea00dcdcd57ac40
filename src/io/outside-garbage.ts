/**
 * What an answer is read into lies outside of the heap, 64 KiB a piece; in the heap a piece is a few words. So the heap looks empty to
 * V8 while large answers stream, and it collects all of it, old and young, each time that 64 MiB lie outside: pauses of 5 to 15 ms,
 * ten a second, and 60 to 100 MiB more in use. The pieces are young when they are done with, and a young collection takes half a
 * millisecond.
 */

/**
 * Read since the last one, bytes. With half of it more pieces are still in use when two collections come, and are old from then on;
 * with the double V8 comes first.
 */
const mostOutside = 32 * 1024 * 1024;

/** To be told of all that is read, bytes. `collect`: takes what is young and of no use. */
export function outsideGarbage(collect: () => void): (bytes: number) => void {
  let outside = 0;
  return bytes => {
    outside += bytes;
    if (outside < mostOutside) return;
    outside = 0;
    collect();
  };
}
