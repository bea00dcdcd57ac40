import { heldAlways } from '../core/held.ts';
import type { Minute } from '../core/stats.ts';
import { turn } from '../core/stats.ts';
import type { Clock, Timer } from '../gateway/ports.ts';
import type { Member, Roster } from '../gateway/roster.ts';
import type { Logger } from '../io/logger.ts';
import type { Store } from '../store/open.ts';
import type { MinuteRow } from '../store/traffic.ts';

const everyMs = 5_000;
const thinEveryMs = 3_600_000;

/** Samples of one endpoint over the running minute: what is not counted by requests. */
interface Samples {
  lags: number[];
  outMs: number;
  openings: number;
}

export interface MinuteKeeper {
  /** The minute that is not over yet, of each endpoint: reports want it too. */
  running(): readonly MinuteRow[];
  stop(): void;
  /** `stop`, with the running minute in the store; the next daemon's part of it is added there. */
  close(): void;
}

/** Brings each endpoint's minutes into the store once they are over, and thins what is old. */
export function keepMinutes(
  store: Pick<Store, 'addMinutes' | 'thin'>,
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
  roster: () => Roster,
): MinuteKeeper {
  const samples = new WeakMap<Member, Samples>();
  let timer: Timer | undefined;
  let thinnedAt = clock.now();

  function tick(): void {
    const now = clock.now();
    const wall = clock.wall();
    for (const { member } of members()) {
      const seen = samplesOf(member);
      if (member.record.head.height >= 0) seen.lags.push(member.record.head.lag);
      if (heldAlways(member.record, now) !== 0) seen.outMs += everyMs;
    }
    const rows = over(wall);
    if (rows.length > 0) store.addMinutes(rows);
    if (now - thinnedAt >= thinEveryMs) {
      thinnedAt = now;
      store.thin(wall).catch((error: unknown) => {
        logger.warn('old minutes stay until the next hour', { why: String(error) });
      });
    }
    timer = clock.after(everyMs, tick);
  }
  timer = clock.after(everyMs, tick);

  function members() {
    return [...roster().chains.values()].flatMap(({ settings, members }) =>
      [...members.values()].map(member => ({ chain: settings.name, member })),
    );
  }

  function samplesOf(member: Member): Samples {
    const seen = samples.get(member) ?? { lags: [], outMs: 0, openings: openingsOf(member) };
    samples.set(member, seen);
    return seen;
  }

  /** The minutes that are over and not in the store yet. */
  function over(wall: number): MinuteRow[] {
    return members().flatMap(({ chain, member }) => {
      turn(member.stats, wall);
      return member.stats.over.splice(0).map(minute => rowOf(chain, member, minute, samplesOf(member)));
    });
  }

  function running(): MinuteRow[] {
    const wall = clock.wall();
    return members().map(({ chain, member }) => {
      turn(member.stats, wall);
      const seen = samplesOf(member);
      return rowOf(chain, member, member.stats.minute, { ...seen, lags: [...seen.lags] });
    });
  }

  const stop = (): void => timer?.cancel();
  return {
    running,
    stop,
    close() {
      stop();
      store.addMinutes([...over(clock.wall()), ...running()]);
    },
  };
}

/** Empties the samples: they belong to this minute. */
function rowOf(chain: string, member: Member, minute: Minute, seen: Samples): MinuteRow {
  const lags = seen.lags.splice(0).sort((a, b) => a - b);
  const openings = openingsOf(member);
  const circuitOpenings = Math.max(0, openings - seen.openings);
  seen.openings = openings;
  const outMs = Math.min(60_000, seen.outMs);
  seen.outMs = 0;
  const median = lags[lags.length >> 1];
  const worst = lags.at(-1);
  return {
    start: minute.startMs,
    identityKey: member.record.identityKey,
    chain,
    endpoint: member.record.settings.name,
    requests: minute.requests,
    verdicts: minute.verdicts,
    latency: [...minute.latency],
    ...(median === undefined ? {} : { lagMedian: median }),
    ...(worst === undefined ? {} : { lagWorst: worst }),
    outMs,
    probes: minute.probes,
    circuitOpenings,
  };
}

function openingsOf({ record }: Member): number {
  return record.read.openings + record.heavy.openings + record.broadcast.openings;
}
