import type { Clock, Timer } from '../gateway/ports.ts';
import { clock } from '../io/clock.ts';
import { type Notify, systemdNotify, watchdogMs } from '../io/systemd-notify.ts';
import { openProcessLogger } from './process-logger.ts';

/** The status a person reads in `systemctl status`, without a watchdog, ms. */
const statusEveryMs = 30_000;

export interface Supervised {
  readonly clock: Clock;
  readonly notify: Notify;
  /** The supervisor ends who stays silent for this long, ms; undefined: it does not. */
  readonly watchdogMs: number | undefined;
  readonly ready: Promise<void>;
  /** How things stand, in a line. */
  readonly summary: () => string;
}

/**
 * Tells a supervisor when the daemon is ready, how things stand, and that its event loop turns: the sign of life comes
 * from a timer of the loop itself, three times in the time allowed.
 */
export function supervise(facts: Supervised): { stopping(): void } {
  const { clock, notify, ready, summary } = facts;
  const everyMs = facts.watchdogMs === undefined ? statusEveryMs : facts.watchdogMs / 3;
  let over = false;
  let timer: Timer | undefined;
  const tick = (): void => {
    notify('WATCHDOG=1', `STATUS=${summary()}`);
    timer = clock.after(everyMs, tick);
  };
  void ready.then(() => {
    if (over) return;
    notify('READY=1', `STATUS=${summary()}`);
    timer = clock.after(everyMs, tick);
  });
  return {
    stopping() {
      over = true;
      timer?.cancel();
      notify('STOPPING=1', 'STATUS=lets what is in flight end');
    },
  };
}

/** Undefined: nothing supervises this process that asked to be told. */
export function superviseProcess(
  daemon: Pick<Supervised, 'ready' | 'summary'>,
): { stopping(): void } | undefined {
  const logger = openProcessLogger('warn');
  const notify = systemdNotify(process.env, process.pid, why => {
    logger.warn('the supervisor could not be told', { why });
  });
  if (notify === undefined) return undefined;
  return supervise({ ...daemon, clock, notify, watchdogMs: watchdogMs(process.env) });
}
