import fc from 'fast-check';
import { describe, it } from 'vitest';
import { subjects } from './subjects.ts';

describe('whatever comes in', () => {
  it.each(subjects.map(subject => [subject.name, subject] as const))('at %s', async (_name, subject) => {
    const running = await subject.start();
    await fc.assert(running.property, { numRuns: subject.runs, endOnFailure: true });
    await running.end();
  });
});
