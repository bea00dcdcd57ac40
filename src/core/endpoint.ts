/**
 * All that is known about one endpoint, as plain mutable values. It belongs to the identity key, never to the name, and
 * outlives configurations. Times are monotonic ms. Slow facts come from probes, config and operators; fast facts from
 * traffic; `closed` is the slow ones folded into bits (`held.ts`), so whoever changes one calls `fold`.
 */

import { type AuthHold, noAuthHold } from './auth-hold.ts';
import type { ChainSettings, EndpointSettings, HistoryKind } from './chain.ts';
import { type Cooldown, noCooldown } from './cooldown.ts';
import { type Latency, unmeasured } from './ewma.ts';
import { type Head, newHead } from './head.ts';
import { fold } from './held.ts';
import type { Bound } from './history.ts';
import { type Identity, newIdentity } from './identity.ts';
import { newPace, type Pace } from './pace.ts';
import { silenceMs } from './probing.ts';
import { enterQuarantine, noQuarantine, type Quarantine } from './quarantine.ts';
import { newTally, type Tally } from './tally.ts';

/** Whether it gives what building a transfer needs (TRON); other families are not asked and count as `yes`. */
interface Builds {
  answer: 'unknown' | 'yes' | 'no';
  since: number;
  dueAt: number;
}

/** When the gateway asks again, and how often it asked. */
interface Probing {
  heightDueAt: number;
  /** Its place in the interval was drawn. */
  spread: boolean;
  lastAt: number;
  /** Own requests since `dayStart`. */
  today: number;
  dayStart: number;
}

export interface EndpointRecord {
  readonly identityKey: string;
  settings: EndpointSettings;
  chain: ChainSettings;

  // The operator's switches.
  disabled: boolean;
  draining: boolean;
  /** In force now; the settings hold what it returns to. */
  weight: number;
  switchedAt: number;
  forReads: boolean;
  forHistory: boolean;
  forBroadcasts: boolean;

  // Slow facts.
  closed: number;
  readonly identity: Identity;
  readonly builds: Builds;
  readonly quarantine: Quarantine;
  readonly head: Head;
  readonly kept: Record<HistoryKind, Bound | undefined>;
  readonly probing: Probing;

  // Fast facts.
  inFlight: number;
  pace: Pace;
  readonly read: Tally;
  readonly heavy: Tally;
  readonly broadcast: Tally;
  readonly cooldown: Cooldown;
  readonly auth: AuthHold;
  /** All reads, probes too: what `maxLatency` looks at. */
  readonly latency: Latency;
  /** Height reads only, which cost every endpoint the same: what endpoints are compared by. */
  readonly heightLatency: Latency;
  slowSince: number | undefined;
  /** Method to the moment until which it is not asked for. */
  readonly unsupported: Map<string, number>;

  /** What `changes.ts` last told of, as in `heldAlways`, and when. */
  told: number;
  toldAt: number;
}

/** What is remembered of an endpoint over restarts. */
export interface Known {
  readonly identity?: { readonly state: 'verified' | 'wrong'; readonly claims: string };
  /** It is to earn its place first: why. */
  readonly quarantine?: string;
  readonly builds?: boolean;
}

export function createRecord(
  settings: EndpointSettings,
  identityKey: string,
  chain: ChainSettings,
  now: number,
  known: Known = {},
): EndpointRecord {
  const asked = chain.family === 'tron';
  const remembered = known.builds === undefined ? 'unknown' : known.builds ? 'yes' : 'no';
  const record: EndpointRecord = {
    identityKey,
    settings,
    chain,
    disabled: settings.disabled,
    draining: false,
    weight: settings.weight,
    switchedAt: now,
    forReads: false,
    forHistory: false,
    forBroadcasts: false,
    closed: 0,
    identity: newIdentity(known.identity, now),
    builds: {
      answer: asked ? remembered : 'yes',
      since: now,
      dueAt: asked ? now : Number.POSITIVE_INFINITY,
    },
    quarantine: noQuarantine(),
    head: newHead(now + silenceMs(chain)),
    kept: { state: undefined, blocks: undefined, transactions: undefined },
    probing: { heightDueAt: now, spread: false, lastAt: Number.NEGATIVE_INFINITY, today: 0, dayStart: now },
    inFlight: 0,
    pace: newPace(settings.rps),
    read: newTally(now),
    heavy: newTally(now),
    broadcast: newTally(now),
    cooldown: noCooldown(),
    auth: noAuthHold(),
    latency: unmeasured(),
    heightLatency: unmeasured(),
    slowSince: undefined,
    unsupported: new Map(),
    told: 0,
    toldAt: now,
  };
  takeRoles(record);
  if (known.quarantine !== undefined) enterQuarantine(record.quarantine, known.quarantine, now);
  fold(record);
  record.told = record.closed;
  return record;
}

/** A changed config for the same endpoint: what was learned stays. A weight override of the operator stays too. */
export function reconfigure(
  record: EndpointRecord,
  settings: EndpointSettings,
  chain: ChainSettings,
  now: number,
): void {
  const before = record.settings;
  record.settings = settings;
  record.chain = chain;
  if (settings.weight !== before.weight || settings.disabled !== before.disabled) record.switchedAt = now;
  if (settings.weight !== before.weight) record.weight = settings.weight;
  if (settings.disabled !== before.disabled) record.disabled = settings.disabled;
  if (settings.rps !== before.rps) record.pace = newPace(settings.rps);
  takeRoles(record);
  fold(record);
}

function takeRoles(record: EndpointRecord): void {
  const { roles, broadcast } = record.settings;
  record.forReads = roles.includes('read');
  record.forHistory = roles.includes('history');
  record.forBroadcasts = roles.includes('broadcast') && broadcast !== 'never';
}
