import { describe, expect, it } from 'vitest';
import type { EndpointSettings } from '../../src/core/chain.ts';
import { loadCode } from './code.ts';
import { type Act, chainDefaults, endpoint, type Life, type Traffic } from './life.ts';
import { trouble } from './plan.ts';
import { play } from './simulate.ts';
import { wellNode } from './truth.ts';

// What the simulator found, each as the short life that shows it.

const code = await loadCode();
const noTraffic: Traffic = { everyMs: undefined, wishes: ['latest'], impatient: 0 };

async function broken(
  endpoints: readonly EndpointSettings[],
  acts: readonly Act[],
  more: Partial<Life> = {},
): Promise<readonly string[]> {
  const nodes = new Map(endpoints.map(({ name }) => [name, wellNode(chainDefaults.identity, 20)]));
  const life: Life = {
    chain: chainDefaults,
    endpoints,
    nodes,
    acts,
    traffic: noTraffic,
    endMs: 10 * 60_000,
    ...more,
  };
  const { violations } = await play(code, life, 1);
  return violations.map(({ invariant, text }) => `${invariant}: ${text}`);
}

describe('faults that the simulator found', () => {
  it('what an endpoint keeps was asked while it cooled', async () => {
    const acts: Act[] = [
      { at: 0, does: 'become', node: 'a', like: { troubles: [trouble('throttle', { befalls: 'clients' })] } },
      { at: 400, does: 'burst', wishes: ['latest', 'latest'], overMs: 1 },
    ];
    expect(await broken([endpoint('a')], acts)).toEqual([]);
  });

  it('the next of several questions followed a 429', async () => {
    const acts: Act[] = [
      // While it is being asked what it keeps: the first of these questions was answered.
      {
        at: 100,
        does: 'become',
        node: 'a',
        like: { troubles: [trouble('throttle', { befalls: 'probes' })] },
      },
    ];
    expect(await broken([endpoint('a')], acts)).toEqual([]);
  });

  it('a restart released an endpoint that had been on the wrong network and not passed its quarantine', async () => {
    const acts: Act[] = [
      { at: 60_000, does: 'become', node: 'a', like: { network: '2', ahead: 5_000_000 } },
      { at: 120_000, does: 'become', node: 'a', like: { network: chainDefaults.identity, ahead: 0 } },
      { at: 172_000, does: 'restart' },
    ];
    const traffic: Traffic = { everyMs: 500, wishes: ['latest'], impatient: 0 };
    expect(await broken([endpoint('a'), endpoint('b', { weight: 10 })], acts, { traffic })).toEqual([]);
  });

  it('a batch sent its heavy calls past the limit that its reads had reached', async () => {
    const acts: Act[] = [{ at: 5_000, does: 'batch', wishes: ['latest', 'heavy'] }];
    expect(await broken([endpoint('a', { maxInFlight: 1 })], acts)).toEqual([]);
  });

  it('an endpoint that never answered was asked twice as often', async () => {
    const dead = { troubles: [trouble('refused')] };
    const acts: Act[] = [{ at: 0, does: 'become', node: 'a', like: dead }];
    expect(await broken([endpoint('a')], acts)).toEqual([]);
  });

  it('a rise back to the head of the pool had no identity asked', async () => {
    const acts: Act[] = [
      { at: 60_000, does: 'become', node: 'a', like: { behind: [5_000_000] } },
      { at: 120_000, does: 'become', node: 'a', like: { behind: [0] } },
    ];
    expect(await broken([endpoint('a'), endpoint('b'), endpoint('c')], acts)).toEqual([]);
  });

  it('a lagging pool seemed to move whenever traffic showed its height', async () => {
    const acts: Act[] = [{ at: 0, does: 'become', node: 'a', like: { behind: [500] } }];
    const traffic: Traffic = { everyMs: 7_000, wishes: ['head'], impatient: 0 };
    expect(await broken([endpoint('a')], acts, { traffic })).toEqual([]);
  });

  it('a new endpoint had a score of 0 until the next look at the pool', async () => {
    const known = [endpoint('a', { weight: 10 }), endpoint('b', { weight: 90 })];
    const acts: Act[] = [
      { at: 60_000, does: 'configure', endpoints: [endpoint('c')] },
      { at: 120_100, does: 'configure', endpoints: [...known, endpoint('c')] },
      { at: 120_110, does: 'burst', wishes: ['latest', 'latest', 'latest'], overMs: 100 },
    ];
    const nodes = new Map(['a', 'b', 'c'].map(name => [name, wellNode(chainDefaults.identity, 20)]));
    expect(await broken(known, acts, { nodes })).toEqual([]);
  });

  it('under a cap an endpoint was stale in the evening', async () => {
    const chain = { ...chainDefaults, probesMaxPerDay: 500 };
    expect(await broken([endpoint('a')], [], { chain, endMs: 25 * 3_600_000 })).toEqual([]);
  });
});
