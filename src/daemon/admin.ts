/** What operators' commands do: one file a group, put together here. */

import type { Status } from '../api/contract.ts';
import type { Handlers } from '../api/server.ts';
import { spanText } from '../config/units.ts';
import type { Timer } from '../gateway/ports.ts';
import type { LogLevel } from '../io/logger.ts';
import { addHandlers } from './admin-add.ts';
import { broadcastHandlers } from './admin-broadcasts.ts';
import { adminCall } from './admin-call.ts';
import { type AdminFacts, openDesk } from './admin-desk.ts';
import { doctorHandlers } from './admin-doctor.ts';
import { explainHandlers } from './admin-explain.ts';
import { historyHandlers } from './admin-history.ts';
import { reloadHandlers } from './admin-reload.ts';
import { showHandlers } from './admin-show.ts';
import { switchHandlers } from './admin-switch.ts';
import { testHandlers } from './admin-test.ts';
import { pause } from './pause.ts';
import { statusOf } from './status.ts';

export interface AdminPlaces {
  readonly dataDir: string;
  readonly socket: string;
  /** A group has a right to the socket. */
  readonly shared: boolean;
}

export function adminHandlers(facts: AdminFacts, places: AdminPlaces): Handlers {
  const desk = openDesk(facts);
  const { store, clock, logger } = facts;
  let calls = 0;
  let levelEnd: Timer | undefined;

  async function status(only: string | undefined): Promise<Status> {
    if (only !== undefined) desk.chain(only);
    const { state } = store;
    return statusOf(
      facts.roster(),
      only,
      {
        version: facts.version,
        node: process.version,
        pid: process.pid,
        startedAt: new Date(facts.startedAtMs).toISOString(),
        draining: facts.draining(),
        listen: facts.url,
        config: facts.configPath ?? null,
        lastReload: facts.reloads.last,
        store:
          state.is === 'ok'
            ? { ok: true, reason: null, since: null }
            : { ok: false, reason: state.reason, since: new Date(state.since).toISOString() },
      },
      desk.statusFacts,
      await store.broadcasts.unsettled(),
    );
  }

  return {
    health: () => ({ ok: true }),
    status: ({ chain }) => status(chain),

    async *statusStream({ intervalMs }) {
      for (;;) {
        yield await status(undefined);
        await pause(clock, intervalMs);
      }
    },

    async call({ chain: name, method, params }) {
      const chain = desk.chain(name);
      calls += 1;
      const session = { requestId: `call-${calls}`, startedAt: clock.now() };
      return adminCall(facts.dispatch, chain, { method, params }, session);
    },

    logLevel: ({ level, forMs, who = 'unknown' }) =>
      desk.oneAtATime(async () => {
        const before = logger.level;
        if (level === undefined) return { already: true, level: before, text: `the log level is ${before}` };
        levelEnd?.cancel();
        levelEnd = forMs === undefined ? undefined : clock.after(forMs, () => setLevel(before));
        const already = before === level && forMs === undefined;
        setLevel(level);
        const entry = { who, action: 'log-level', before: { level: before }, after: { level } };
        await desk.audit({ ...entry, result: already ? 'already' : 'done' });
        const spell = forMs === undefined ? '' : ` for ${spanText(forMs)}, then back to ${before}`;
        return { already, level, text: `the log level is ${level}${already ? ' already' : spell}` };
      }),

    ...showHandlers(desk),
    ...addHandlers(desk),
    ...switchHandlers(desk),
    ...testHandlers(desk),
    ...explainHandlers(desk),
    ...historyHandlers(desk),
    ...broadcastHandlers(desk),
    ...reloadHandlers(desk),
    ...doctorHandlers(desk, places),
  };

  function setLevel(level: LogLevel): void {
    logger.level = level;
  }
}
