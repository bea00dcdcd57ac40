import { writeSync } from 'node:fs';

/**
 * Lines to an open descriptor, each written before the call returns, so that an exit at any moment loses none. A
 * descriptor that takes nothing (reader gone, disk full, pipe full and not blocking) must not end or hold up the
 * process: then the line is lost and the answer is false.
 */
export function linesTo(descriptor: number): (line: string) => boolean {
  let cut = false;
  return line => {
    const bytes = Buffer.from(cut ? `\n${line}` : line);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(descriptor, bytes, written);
      cut = false;
    } catch {
      // The caller counts it; there is nowhere else to tell it.
      cut ||= written > 0;
    }
    return written === bytes.length;
  };
}
