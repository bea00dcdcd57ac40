import type { Clock } from '../gateway/ports.ts';
import type { Prober } from '../gateway/probe.ts';
import { allMembers, type Roster } from '../gateway/roster.ts';
import type { Logger } from '../io/logger.ts';
import { usable } from './status.ts';

const longestMs = 10_000;

/**
 * Logs `ready` once: when every endpoint was asked who it is and how far, whatever it answered, or when ten seconds are over. Not
 * when all is well: an upstream that is down must not keep a supervisor waiting for a gateway that works.
 */
export function tellWhenReady(facts: {
  readonly clock: Clock;
  readonly prober: Pick<Prober, 'firstRound'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly roster: () => Roster;
  readonly url: string;
}): { readonly told: Promise<void>; stop(): void } {
  const { clock, prober, logger, roster, url } = facts;
  let over = false;
  let resolve: () => void = () => undefined;
  const told = new Promise<void>(done => {
    resolve = done;
  });
  const stop = (): void => {
    over = true;
    timer.cancel();
  };
  const tell = (): void => {
    if (over) return;
    stop();
    resolve();
    logger.info('ready', { url, ...standing(roster(), clock.now()) });
  };
  const timer = clock.after(longestMs, tell);
  void prober.firstRound.then(tell);
  return { told, stop };
}

/** How many chains and endpoints there are, and how many of these take reads. */
export function standing(roster: Roster, now: number) {
  const chains = [...roster.chains.values()];
  const open = chains.reduce((sum, chain) => sum + usable(chain, now), 0);
  return { chains: chains.length, endpoints: allMembers(roster).length, usable: open };
}
