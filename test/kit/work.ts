import type { Work } from '../../src/core/work.ts';

/** To its end without a break, and how often it offered one. */
export function worked<T>(work: Work<T>): { readonly value: T; readonly breaks: number } {
  for (let breaks = 0; ; breaks += 1) {
    const step = work.next();
    if (step.done === true) return { value: step.value, breaks };
  }
}

export function finished<T>(work: Work<T>): T {
  return worked(work).value;
}
