/** Tells systemd how the daemon is (sd_notify(3)). Node has no datagram Unix socket, so systemd's own program sends it. */

import { execFile } from 'node:child_process';

/** Assignments as sd_notify has them: `READY=1`, `STATUS=…`. Never waits, never throws. */
export type Notify = (...assignments: readonly string[]) => void;

const longestMs = 5_000;

/** Undefined: no supervisor asked to be told. `failed` hears of each telling that did not work. */
export function systemdNotify(
  env: NodeJS.ProcessEnv,
  pid: number,
  failed: (why: string) => void,
): Notify | undefined {
  const { NOTIFY_SOCKET, PATH } = env;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return undefined;
  return (...assignments) => {
    // Without `--no-block` it may hang until the supervisor looks. Nothing else of the environment: secrets may be in it.
    const args = ['--no-block', `--pid=${pid}`, ...assignments];
    const options = { env: { NOTIFY_SOCKET, PATH }, timeout: longestMs };
    execFile('systemd-notify', args, options, error => {
      if (error !== null) failed(error.message.split('\n')[0] ?? '');
    });
  };
}

/** How often the supervisor wants to hear that the daemon lives, ms; undefined: it does not. */
export function watchdogMs(env: NodeJS.ProcessEnv): number | undefined {
  const micros = Number(env.WATCHDOG_USEC);
  return Number.isFinite(micros) && micros > 0 ? micros / 1000 : undefined;
}
