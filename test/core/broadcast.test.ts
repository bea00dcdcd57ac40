import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  again,
  type Before,
  broadcastAttemptMs,
  broadcastDeadlineMs,
  type Ending,
  mayTryAnother,
  mostTelling,
  nothingLeft,
  outcomeOf,
  sameness,
} from '../../src/core/broadcast.ts';
import type { Reached } from '../../src/core/transport-fault.ts';
import type { TxOutcome } from '../../src/core/verdict.ts';

const places: readonly Reached[] = ['not_connected', 'nothing_handed_over', 'handed_over', 'answered'];
const outcomes: readonly TxOutcome[] = ['accepted', 'known', 'rejected', 'refused', 'unknown'];

describe('what is known after an attempt', () => {
  test.each<[Reached, TxOutcome | undefined, TxOutcome]>([
    ['not_connected', undefined, 'refused'],
    ['nothing_handed_over', undefined, 'refused'],
    ['handed_over', undefined, 'unknown'],
    ['answered', undefined, 'unknown'],
    ['answered', 'accepted', 'accepted'],
    ['answered', 'known', 'known'],
    ['answered', 'rejected', 'rejected'],
    ['answered', 'refused', 'refused'],
    ['answered', 'unknown', 'unknown'],
  ])('%s, judged %s: %s', (reached, judged, outcome) => {
    expect(outcomeOf(reached, judged)).toBe(outcome);
  });
});

describe('another endpoint', () => {
  const ending = fc.record<Ending>({
    outcome: fc.constantFrom(...outcomes),
    reached: fc.constantFrom(...places),
    status: fc.option(fc.integer({ min: 200, max: 599 }), { nil: undefined }),
  });

  test('is tried only when nothing left, or after a refusal under 429 or 403; and no third', () => {
    fc.assert(
      fc.property(ending, fc.integer({ min: 1, max: 4 }), (made, tried) => {
        const proof =
          made.outcome === 'refused' &&
          (nothingLeft(made.reached) || made.status === 429 || made.status === 403);
        expect(mayTryAnother(made, tried)).toBe(tried < 2 && proof);
      }),
    );
  });

  test('the caller hears of the last, or of the refusal that came nearest', () => {
    const refused = (reached: Reached): Ending => ({ outcome: 'refused', reached });
    const lost: Ending = { outcome: 'unknown', reached: 'handed_over' };
    expect(mostTelling([])).toBeUndefined();
    expect(mostTelling([refused('answered'), lost])).toBe(lost);
    const turnedAway = refused('answered');
    expect(mostTelling([turnedAway, refused('not_connected')])).toBe(turnedAway);
    expect(mostTelling([refused('not_connected'), turnedAway])).toBe(turnedAway);
    const last = refused('nothing_handed_over');
    expect(mostTelling([refused('not_connected'), last])).toBe(last);
  });
});

describe('the time of an attempt', () => {
  test.each([
    [9_000, 7_500],
    [7_500, 7_500],
    [7_499, 7_499],
    [3_000, 3_000],
    [2_999, undefined],
    [-1, undefined],
  ])('with %i ms left: %s', (left, ms) => {
    expect(broadcastAttemptMs(50_000 + left, 50_000)).toBe(ms);
  });

  test('never reaches past the end of the body’s time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: broadcastDeadlineMs }), now => {
        expect((broadcastAttemptMs(broadcastDeadlineMs, now) ?? 0) + now).toBeLessThanOrEqual(
          broadcastDeadlineMs,
        );
      }),
    );
  });
});

describe('the same again', () => {
  const windowMs = 60_000;
  const earlier = (changed: Partial<Before>): Before => ({
    outcome: 'accepted',
    reached: 'answered',
    at: 0,
    seen: false,
    ...changed,
  });

  test.each<[string, Partial<Before>, number, ReturnType<typeof again>]>([
    ['accepted', {}, 59_999, 'recorded'],
    ['accepted, later', {}, 60_000, 'send'],
    ['known', { outcome: 'known' }, 59_999, 'recorded'],
    ['rejected', { outcome: 'rejected' }, 9_999, 'recorded'],
    ['rejected, later', { outcome: 'rejected' }, 10_000, 'send'],
    ['refused in an answer', { outcome: 'refused' }, 59_999, 'recorded'],
    ['refused in an answer, later', { outcome: 'refused' }, 60_000, 'send'],
    ['not connected', { outcome: 'refused', reached: 'not_connected' }, 0, 'send'],
    ['nothing handed over', { outcome: 'refused', reached: 'nothing_handed_over' }, 0, 'send'],
    ['unknown', { outcome: 'unknown' }, 59_999, 'recorded'],
    ['unknown, seen since', { outcome: 'unknown', seen: true }, 59_999, 'known'],
    ['unknown, seen, later', { outcome: 'unknown', seen: true }, 60_000, 'send'],
    ['a row without an end', { outcome: 'pending', reached: undefined }, 59_999, 'recorded'],
    ['one that a crash cut off', { outcome: 'unknown', reached: undefined }, 0, 'recorded'],
    ['one from the future: the clock was set back', { at: 1_000_000 }, 0, 'recorded'],
  ])('%s after %i', (_, changed, wallMs, expected) => {
    expect(again(earlier(changed), windowMs, wallMs)).toBe(expected);
  });

  test('a chain with a short window repeats a rejection for no longer', () => {
    expect(again(earlier({ outcome: 'rejected' }), 2_000, 2_000)).toBe('send');
  });

  test('is told by chain, method, options and bytes, and two of these never run together', () => {
    const of = (chain: string, method: string, digest: string, options: string) =>
      sameness(chain, method, { digest, options });
    const parts = fc.tuple(fc.string(), fc.string(), fc.string(), fc.string());
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(of(...one) === of(...other)).toBe(one.every((part, at) => part === other[at]));
      }),
    );
  });
});
