import { writeSync } from 'node:fs';
import { codeOf } from './faults.ts';

/** How often a full pipe is tried again, a millisecond apart, before its reader counts as stuck. */
const patience = 100;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lines to an open descriptor, each written before the call returns, so that an end of the process at any moment loses
 * none. A descriptor that takes nothing (reader gone or stuck, disk full) must neither end the process nor hold it up
 * for long: then the line is lost and the answer is false.
 */
export function linesTo(descriptor: number): (line: string) => boolean {
  let cut = false;
  let stuck = false;
  return line => {
    const bytes = Buffer.from(cut ? `\n${line}` : line);
    let written = 0;
    for (let tries = stuck ? 0 : patience; written < bytes.length; ) {
      try {
        written += writeSync(descriptor, bytes, written);
      } catch (error) {
        // A pipe that does not block says so instead of waiting for its reader. The caller counts what is lost; there is
        // nowhere else to tell it.
        if (codeOf(error) !== 'EAGAIN' || tries-- <= 0) break;
        Atomics.wait(sleeper, 0, 0, 1);
      }
    }
    const whole = written === bytes.length;
    stuck = !whole;
    cut = whole ? false : cut || written > 0;
    return whole;
  };
}
