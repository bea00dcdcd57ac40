import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { life, live } from './admin-life.ts';

describe('operators’ commands in any order, at once, over reloads and restarts', () => {
  it('never lift a runtime endpoint over its bound, leave a chain to those alone, or get a foreign host in', {
    timeout: 600_000,
  }, async () => {
    await expect(
      fc.assert(fc.asyncProperty(life, live), { numRuns: 8, endOnFailure: true }),
    ).resolves.toBeUndefined();
  });
});
