/** Scenes that never move: their time is handed in. */

import type { Feed } from '../../src/top/feed.ts';
import { type Display, type Scene, sceneOf } from '../../src/top/scene.ts';
import { extend, noTrail, type Trail } from '../../src/top/trail.ts';
import { firstView, type View } from '../../src/top/view.ts';
import { fakeBroadcast, fakeEvent, troubledStatus, unknownBroadcast } from '../kit/fake-status.ts';

/** On the clock of `Timers`; the status came at this moment. */
const tick = 5_000;

const display: Display = { columns: 120, rows: 33, colour: false, ascii: false };

export const view: View = firstView('ethereum', 1_000);

/** A rising line in every row: what a sparkline is drawn from. */
function risingTrail(seconds = 12): Trail {
  const { chains, ...rest } = troubledStatus();
  return Array.from({ length: seconds }, (_, at) => (at + 1) / seconds).reduce(
    (trail, share) =>
      extend(trail, {
        ...rest,
        chains: chains.map(chain => ({
          ...chain,
          requestsPerSecond: chain.requestsPerSecond * share,
          endpoints: chain.endpoints.map(endpoint => ({
            ...endpoint,
            terms: endpoint.terms.map(terms => ({
              ...terms,
              latencyMs: terms.latencyMs === null ? null : terms.latencyMs * share,
            })),
          })),
        })),
      }),
    noTrail,
  );
}

export const feed: Feed = {
  status: troubledStatus(),
  trail: risingTrail(),
  events: [
    fakeEvent({ id: 4, text: 'not verified: over', endpoint: 'infura' }),
    fakeEvent({
      id: 3,
      text: 'stale: 49 blocks behind the pool, 20 are allowed',
      chain: 'bnb',
      endpoint: 'bnb-quick',
      level: 'warn',
    }),
    fakeEvent({ id: 2, text: 'cooldown: it asked to slow down (429)', chain: 'tron', endpoint: 'tron-grid' }),
    fakeEvent({
      id: 1,
      text: 'wrong network: it says it is on 0xaa36a7, ethereum is 0x1',
      endpoint: 'eth-new',
      level: 'alarm',
    }),
  ],
  broadcasts: [
    fakeBroadcast({ id: 2 }),
    fakeBroadcast({ id: 1, chain: 'tron', endpoint: 'tron-own', ms: 52 }),
  ],
  problem: undefined,
  link: { is: 'live' },
  seenAt: tick,
};

/** The same with one broadcast whose outcome nobody knows. */
export const feedWithUnknown: Feed = {
  ...feed,
  status: {
    ...feed.status,
    chains: feed.status.chains.map(chain =>
      chain.name === 'solana' ? { ...chain, unknownBroadcasts: 1 } : chain,
    ),
  },
  broadcasts: [unknownBroadcast(60), ...feed.broadcasts],
};

export function scene(
  part: { feed?: Partial<Feed>; view?: Partial<View>; display?: Partial<Display>; tick?: number } = {},
): Scene {
  return sceneOf(
    { ...feed, ...part.feed },
    { ...view, ...part.view },
    { ...display, ...part.display },
    part.tick ?? tick,
  );
}
