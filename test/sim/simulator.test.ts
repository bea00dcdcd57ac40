import { describe, expect, it } from 'vitest';
import { type Campaign, campaign } from './campaign.ts';
import { loadCode } from './code.ts';
import { type Invariant, invariants } from './invariants.ts';
import { scenarios } from './scenarios.ts';

const code = await loadCode();

/** Each failure with the command that plays it again. */
function replays({ broken }: Campaign): string[] {
  return broken.map(
    ({ scenario, seed, violation: { invariant, at, text } }) =>
      `${invariant} at ${(at / 1000).toFixed(1)} s: ${text}\n  node test/sim/run.ts --only "${scenario}" --seed ${seed} --hours 0.1`,
  );
}

describe('pool-hours by the real code, held against the contract', () => {
  const checked: Record<string, number> = {};

  it.each(Object.entries(scenarios).map(([name, { says }]) => [name, says] as const))(
    '%s: %s',
    async name => {
      const hours = name === 'random mixture' ? 6 : 2;
      const played = await campaign(code, { hours, seed: 1, only: name });
      for (const [invariant, times] of Object.entries(played.checked)) {
        checked[invariant] = (checked[invariant] ?? 0) + times;
      }
      expect(replays(played)).toEqual([]);
    },
  );

  it.each(Object.keys(invariants) as Invariant[])('%s was looked at', invariant => {
    expect(checked[invariant] ?? 0).toBeGreaterThan(0);
  });

  it('the same seed plays the same life', async () => {
    const play = () => campaign(code, { hours: 1, seed: 7, only: 'random mixture' });
    expect(await play()).toEqual(await play());
  });
});
