/** What is learned of endpoints, between the store and their records: kept as it comes, put on records that are new. */

import { noteHistory } from '../core/facts.ts';
import type { Clock, Memory } from '../gateway/ports.ts';
import type { Roster } from '../gateway/roster.ts';
import type { Store } from '../store/open.ts';

export function memoryOf(store: Store, clock: Clock): Memory {
  return {
    identity: (key, result, claims) => store.identities.set(key, { result, value: claims, at: clock.wall() }),
    quarantinePassed: key => store.quarantines.set(key, { passedAt: clock.wall() }),
    quarantineEntered: (key, reason) => {
      const passedAt = store.quarantines.get(key)?.passedAt ?? clock.wall();
      store.quarantines.set(key, { passedAt, again: reason });
    },
    history: (key, kind, lowest, headThen) =>
      store.histories.set(key, {
        ...store.histories.get(key),
        [kind]: { lowest, headThen, at: clock.wall() },
      }),
    builds: (key, builds) => store.builds.set(key, { builds, at: clock.wall() }),
  };
}

/** What a test of a URL learns is told, not kept. */
export const forgetful: Memory = {
  identity: () => undefined,
  quarantinePassed: () => undefined,
  quarantineEntered: () => undefined,
  history: () => undefined,
  builds: () => undefined,
};

/** What earlier runs learned of the past that endpoints keep, on records that are new in this roster. */
export function recall(store: Store, roster: Roster): void {
  for (const chain of roster.chains.values()) {
    for (const { record } of chain.members.values()) {
      const history = store.histories.get(record.identityKey);
      for (const kind of ['state', 'blocks', 'transactions'] as const) {
        const bound = history?.[kind];
        if (bound !== undefined && record.kept[kind] === undefined)
          noteHistory(record, kind, bound.lowest, bound.headThen);
      }
    }
  }
}
