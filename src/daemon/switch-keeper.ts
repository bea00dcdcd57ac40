/** Keeps what operators switched in force: over rosters that come and go, over restarts, and until its time is over. */

import { setSwitches } from '../core/facts.ts';
import { inForce } from '../core/switches.ts';
import type { Clock, Events, Timer } from '../gateway/ports.ts';
import type { Roster } from '../gateway/roster.ts';
import { tellChanges } from '../gateway/tell.ts';
import type { Logger } from '../io/logger.ts';
import type { Override, OverrideStore } from '../store/endpoints.ts';

export interface SwitchKeeper {
  /** Brings every endpoint of the roster to what is switched now. Changes nothing that is so already. */
  apply(roster: Roster): void;
  /** Ends what is over from now on. */
  start(): void;
  stop(): void;
}

export interface SwitchOptions {
  readonly overrides: OverrideStore;
  readonly clock: Clock;
  readonly events: Events;
  readonly logger: Logger;
  readonly roster: () => Roster;
  /** One of them ended by itself. */
  ended(override: Override): Promise<void>;
}

const everyMs = 500;
/** The disk took nothing: it is not asked twice a second. */
const againMs = 30_000;

export function keepSwitches(options: SwitchOptions): SwitchKeeper {
  const { overrides, clock, events, logger, roster, ended } = options;
  let timer: Timer | undefined;
  let ending = false;
  let notBefore = Number.NEGATIVE_INFINITY;

  function apply(to: Roster): void {
    const all = overrides.all();
    for (const chain of to.chains.values()) {
      const { name } = chain.settings;
      const { pool } = chain;
      const settings = pool.records.map(record => record.settings);
      const own = all.filter(override => override.chain === name);
      const wanted = inForce(settings, own, clock.wall());
      for (const [at, record] of pool.records.entries()) {
        const switches = wanted[at];
        if (switches !== undefined)
          tellChanges(events, chain, setSwitches(pool, record, switches, clock.now()));
      }
    }
  }

  /** It has no effect from its end on, whether the row can be taken out of the store now or only later. */
  async function end(override: Override): Promise<void> {
    await overrides.remove(override.chain, override.endpoint, override.what);
    await ended(override);
  }

  function tick(): void {
    const over = overrides.all().filter(({ until }) => until !== undefined && until <= clock.wall());
    if (over.length > 0) apply(roster());
    if (over.length > 0 && !ending && clock.now() >= notBefore) {
      ending = true;
      Promise.all(over.map(end))
        .catch((error: unknown) => {
          notBefore = clock.now() + againMs;
          logger.warn('the end of a switch is not on disk yet', { why: String(error) });
        })
        .finally(() => {
          ending = false;
        });
    }
    timer = clock.after(everyMs, tick);
  }

  return { apply, start: tick, stop: () => timer?.cancel() };
}
