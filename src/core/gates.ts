/**
 * Every reason that may hold an endpoint back, worst first, each a function of what is known: the truth that `explain`,
 * `scores` and the state words read. `held.ts` is the same in bits, for the hot path.
 */

import type { WorkClass } from './chain.ts';
import { atTime, type Circuit, failuresToOpen, trialsToClose } from './circuit.ts';
import type { EndpointRecord } from './endpoint.ts';
import { bits, mayRead } from './held.ts';
import { keeps, keptFrom } from './history.ts';
import type { Need } from './need.ts';
import { goodProbesNeeded } from './quarantine.ts';

export type GateName =
  | 'wrong_network'
  | 'api_only'
  | 'not_verified'
  | 'implausible_head'
  | 'auth'
  | 'circuit'
  | 'stale'
  | 'cooldown'
  | 'quarantine'
  | 'slow'
  | 'busy'
  | 'draining'
  | 'weight_zero'
  | 'disabled'
  | 'role'
  | 'method'
  | 'history'
  | 'height';

/** Why a gate holds, for people; times are monotonic ms. */
export interface Held {
  readonly reason: string;
  readonly since?: number;
  readonly until?: number;
  /** What an operator can do. */
  readonly next: string;
}

export interface Gate extends Held {
  readonly name: GateName;
  /** Only circuits have one. */
  readonly class?: WorkClass;
  /** Never bypassed. */
  readonly hard: boolean;
}

interface GateRow {
  readonly name: GateName;
  readonly class?: WorkClass;
  readonly bit: number;
  readonly hard: boolean;
  /** How loud it is when it shuts; undefined: not told of (it comes and goes with each request). */
  readonly level?: 'info' | 'warn' | 'alarm';
  /** `need` undefined: whatever may be asked. */
  readonly held: (record: EndpointRecord, need: Need | undefined, now: number) => Held | undefined;
}

const waits = 'nothing to do: it releases by itself';

export const gateRows: readonly GateRow[] = [
  {
    name: 'wrong_network',
    bit: bits.wrong_network,
    hard: true,
    level: 'alarm',
    held: ({ identity, chain }) =>
      identity.state !== 'wrong'
        ? undefined
        : {
            reason: `it says it is on ${identity.claims}, ${chain.name} is ${chain.identity}`,
            since: identity.since,
            next: 'correct its URL, or remove it',
          },
  },
  {
    name: 'api_only',
    bit: bits.api_only,
    hard: true,
    level: 'warn',
    held: ({ builds }) =>
      builds.answer === 'yes'
        ? undefined
        : {
            reason:
              builds.answer === 'no'
                ? 'it does not give what building a transfer needs'
                : 'it has not shown yet that it gives what building a transfer needs',
            since: builds.since,
            next:
              builds.answer === 'no' ? 'use a full node of this network' : 'nothing to do: it is being asked',
          },
  },
  {
    name: 'not_verified',
    bit: bits.not_verified,
    hard: true,
    level: 'warn',
    held: ({ identity, chain }) =>
      identity.state !== 'unproven'
        ? undefined
        : {
            reason: `it has not proved yet that it is on ${chain.name}`,
            since: identity.since,
            next: 'look at its other gates: they say why it does not answer',
          },
  },
  {
    name: 'implausible_head',
    bit: bits.implausible_head,
    hard: true,
    level: 'warn',
    held: ({ head }) =>
      head.suspectSince === undefined
        ? undefined
        : {
            reason: `its head ${head.height} is further ahead than the chain can have moved`,
            since: head.suspectSince,
            next: 'compare it with a block explorer: it is believed when a second endpoint comes near it',
          },
  },
  {
    name: 'auth',
    bit: bits.auth,
    hard: true,
    level: 'warn',
    held: ({ auth }) =>
      auth.holdMs === 0
        ? undefined
        : {
            reason: 'it refuses our credential; a good probe after the hold releases it',
            since: auth.since,
            until: auth.until,
            next: 'check its key, plan and allowed addresses',
          },
  },
  circuitRow('read', bits.circuit_read),
  circuitRow('heavy', bits.circuit_heavy),
  circuitRow('broadcast', bits.circuit_broadcast),
  {
    name: 'stale',
    bit: bits.stale,
    hard: false,
    level: 'warn',
    held: ({ head, disabled }, _need, now) => {
      if (head.lag > head.lagLimit) {
        const reason = `${head.lag} blocks behind the pool, ${head.lagLimit} are allowed`;
        return { reason, since: head.staleSince ?? head.at, next: 'check whether the node keeps up' };
      }
      // A disabled endpoint is not asked, so its silence says nothing.
      if (head.freshUntil > now || disabled) return undefined;
      const reason = 'it showed no height for four probe intervals';
      return {
        reason,
        since: head.freshUntil,
        next: 'look at its other gates: they say why it does not answer',
      };
    },
  },
  {
    name: 'cooldown',
    bit: bits.cooldown,
    hard: true,
    level: 'info',
    held: ({ cooldown }, _need, now) =>
      cooldown.until <= now
        ? undefined
        : {
            reason: 'it is rate limited',
            since: cooldown.since,
            until: cooldown.until,
            next: 'if it happens often: set rps or a lower weight',
          },
  },
  {
    name: 'quarantine',
    bit: bits.quarantine,
    hard: true,
    level: 'info',
    held: ({ quarantine }) =>
      quarantine.good < 0
        ? undefined
        : {
            reason: `${quarantine.good} of ${goodProbesNeeded} good probes in a row: ${quarantine.reason}`,
            since: quarantine.since,
            next: waits,
          },
  },
  {
    name: 'slow',
    bit: bits.slow,
    hard: false,
    level: 'info',
    held: ({ slowSince, latency, chain }) =>
      slowSince === undefined
        ? undefined
        : {
            reason: `${Math.round(latency.ms)} ms on average, ${chain.maxLatencyMs ?? 0} ms are allowed`,
            since: slowSince,
            next: waits,
          },
  },
  {
    name: 'busy',
    bit: bits.busy,
    hard: false,
    held: ({ inFlight, settings, pace }, _need, now) => {
      const { maxInFlight, rps } = settings;
      if (inFlight >= maxInFlight) {
        return {
          reason: `${inFlight} requests in flight, ${maxInFlight} are allowed`,
          next: 'raise maxInFlight',
        };
      }
      if (pace.roomAt <= now) return undefined;
      return {
        reason: `it has had its ${rps ?? 0} requests of this second`,
        until: pace.roomAt,
        next: 'raise rps',
      };
    },
  },
  {
    name: 'draining',
    bit: bits.draining,
    hard: true,
    level: 'info',
    held: ({ draining, switchedAt, inFlight }) =>
      draining
        ? { reason: `drained by an operator, ${inFlight} in flight`, since: switchedAt, next: 'enable it' }
        : undefined,
  },
  {
    name: 'weight_zero',
    bit: bits.weight_zero,
    hard: true,
    level: 'info',
    held: ({ weight, switchedAt }) =>
      weight > 0 ? undefined : { reason: 'its weight is 0', since: switchedAt, next: 'give it a weight' },
  },
  {
    name: 'disabled',
    bit: bits.disabled,
    hard: true,
    level: 'info',
    held: ({ disabled, switchedAt }) =>
      disabled ? { reason: 'disabled by an operator', since: switchedAt, next: 'enable it' } : undefined,
  },
  {
    name: 'role',
    bit: bits.role,
    hard: true,
    held: (record, need) => {
      if (need === undefined) return undefined;
      const fits = need.class === 'broadcast' ? record.forBroadcasts : mayRead(record, need);
      if (fits) return undefined;
      return {
        reason: 'the operator does not use it for this',
        next: 'change its roles or broadcast setting',
      };
    },
  },
  {
    name: 'method',
    bit: bits.method,
    hard: false,
    held: ({ unsupported }, need, now) => {
      const until = need === undefined ? undefined : unsupported.get(need.method);
      if (until === undefined || until <= now) return undefined;
      return { reason: `it said that it does not offer ${need?.method}`, until, next: waits };
    },
  },
  {
    name: 'history',
    bit: bits.history,
    hard: false,
    held: (record, need) => {
      if (need?.history === undefined || need.class === 'broadcast' || keeps(record, need) !== 'no')
        return undefined;
      const { kind, height } = need.history;
      const reason = `it keeps ${kind} from ${keptFrom(record, kind) ?? 0} on, not at ${height}`;
      return { reason, next: 'use an endpoint with full history' };
    },
  },
  {
    name: 'height',
    bit: bits.height,
    hard: false,
    held: ({ head }, need) => {
      if (need === undefined) return undefined;
      const next = waits;
      if (need.class !== 'broadcast') {
        if (need.height === undefined || head.height >= need.height) return undefined;
        return { reason: `its head is ${height(head.height)}, the request names ${need.height}`, next };
      }
      if (!head.probeGood || head.height < 0) return { reason: 'its last height probe was not good', next };
      return head.lag > 0 ? { reason: `${head.lag} blocks behind the pool`, next } : undefined;
    },
  },
];

/** What holds the endpoint back, worst first. Without a need: whatever is asked. */
export function gatesOf(record: EndpointRecord, need: Need | undefined, now: number): readonly Gate[] {
  const gates: Gate[] = [];
  for (const row of gateRows) {
    const held = row.held(record, need, now);
    if (held !== undefined) gates.push(gateOf(row, held));
  }
  return gates;
}

export function gateOf(row: GateRow, held: Held): Gate {
  const { name, hard } = row;
  return { name, hard, ...(row.class === undefined ? {} : { class: row.class }), ...held };
}

/** A broadcast asks the read circuit as well; otherwise a class asks its own alone. */
function circuitRow(workClass: WorkClass, bit: number): GateRow {
  return {
    name: 'circuit',
    class: workClass,
    bit,
    hard: false,
    level: 'warn',
    held: (record, need, now) => {
      if (
        need !== undefined &&
        need.class !== workClass &&
        !(need.class === 'broadcast' && workClass === 'read')
      ) {
        return undefined;
      }
      return circuitHeld(record, workClass, atTime(record[workClass].circuit, now));
    },
  };
}

const plural: Readonly<Record<WorkClass, string>> = {
  read: 'reads',
  heavy: 'heavy requests',
  broadcast: 'broadcasts',
};

function circuitHeld(record: EndpointRecord, workClass: WorkClass, circuit: Circuit): Held | undefined {
  if (circuit.state === 'closed') return undefined;
  const next = 'look at its errors: rpcgw endpoint show';
  const asked = plural[workClass];
  const { failedBy, success } = record[workClass];
  if (circuit.state === 'half_open') {
    const tries =
      workClass === 'broadcast'
        ? 'a broadcast may try it'
        : `${circuit.good} of ${trialsToClose} good trials`;
    return { reason: `half-open for ${asked}, ${tries}; it was ${failedBy}`, since: circuit.since, next };
  }
  const causes = {
    streak: `${failuresToOpen} ${asked} failed in a row`,
    average: `${Math.round(100 * success)} % of its ${asked} succeeded`,
    trial: `its trial for ${asked} failed`,
  };
  return {
    reason: `${causes[circuit.cause]}, the last by ${failedBy}`,
    since: circuit.since,
    until: circuit.until,
    next,
  };
}

function height(value: number): string {
  return value < 0 ? 'not known' : String(value);
}
