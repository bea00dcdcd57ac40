/** What an operator's command would break. Pure: the pool as it is, the one change, and the moment. */

import type { EndpointRecord } from './endpoint.ts';
import { bits, heldFor } from './held.ts';
import type { Need } from './need.ts';
import { type InForce, serves } from './switches.ts';

/** One endpoint as a command would leave it; `undefined`: gone. */
export interface Proposal {
  /** Absent: one that is not in the pool yet. */
  readonly record?: EndpointRecord;
  readonly origin: 'file' | 'runtime';
  readonly after: Proposed | undefined;
}

export interface Proposed extends InForce {
  readonly forReads: boolean;
  readonly forBroadcasts: boolean;
}

export interface Objection {
  /** `last_usable` gives way to `--force`; `runtime_alone` to nothing. */
  readonly rule: 'last_usable' | 'runtime_alone';
  readonly why: string;
}

/** An endpoint as far as these rules look at it. */
interface Seen {
  readonly origin: 'file' | 'runtime';
  /** Operators let it, and it is for this. */
  readonly reads: boolean;
  readonly broadcasts: boolean;
  /** Nothing else holds it back either. */
  readonly openReads: boolean;
  readonly openBroadcasts: boolean;
}

type Ability = 'openReads' | 'openBroadcasts' | 'reads' | 'broadcasts';

const anyRead: Need = { class: 'read', method: '' };
const anyBroadcast: Need = { class: 'broadcast', method: '' };
/** What operators hold, and what comes and goes with each request or block. */
const asideFrom =
  bits.disabled | bits.draining | bits.weight_zero | bits.role | bits.busy | bits.height | bits.method;

export function objections(
  records: readonly EndpointRecord[],
  proposal: Proposal,
  now: number,
): readonly Objection[] {
  const before = records.map(record => seen(record, proposedOf(record), now));
  const others = records.filter(record => record !== proposal.record);
  const rest = others.map(record => seen(record, proposedOf(record), now));
  const changed = proposal.after === undefined ? [] : [seenAfter(proposal, proposal.after, now)];
  const after = [...rest, ...changed];
  const found: Objection[] = [];

  if (ofFile(before).length > 0 && after.some(({ origin }) => origin === 'runtime')) {
    const lost = lostBy(ofFile(before), ofFile(after));
    if (lost !== undefined) {
      found.push({ rule: 'runtime_alone', why: `no endpoint of the config would be left for ${lost}` });
    } else if (switchesOn(proposal) && !ofFile(after).some(({ reads, broadcasts }) => reads || broadcasts)) {
      found.push({ rule: 'runtime_alone', why: 'every endpoint of the config is switched off' });
    }
  }
  const lost = lostBy(before, after);
  if (lost !== undefined) found.push({ rule: 'last_usable', why: `nothing would be left for ${lost}` });
  return found;
}

/** A runtime endpoint that got nothing so far. */
function switchesOn({ record, origin, after }: Proposal): boolean {
  const was = record !== undefined && serves(proposedOf(record));
  return origin === 'runtime' && after !== undefined && serves(after) && !was;
}

/** What the endpoints could do before and cannot do after, in words. */
function lostBy(before: readonly Seen[], after: readonly Seen[]): string | undefined {
  const lost = (ability: Ability): boolean =>
    before.some(each => each[ability]) && !after.some(each => each[ability]);
  const reads = lost('openReads') || lost('reads');
  const broadcasts = lost('openBroadcasts') || lost('broadcasts');
  if (reads) return broadcasts ? 'reads and broadcasts' : 'reads';
  return broadcasts ? 'broadcasts' : undefined;
}

function ofFile(all: readonly Seen[]): readonly Seen[] {
  return all.filter(({ origin }) => origin === 'file');
}

export function proposedOf(record: EndpointRecord): Proposed {
  const { disabled, draining, weight, forReads, forHistory, forBroadcasts } = record;
  return { disabled, draining, weight, forReads: forReads || forHistory, forBroadcasts };
}

function seen(record: EndpointRecord, is: Proposed, now: number): Seen {
  return seenAfter({ record, origin: record.settings.origin, after: is }, is, now);
}

/** One that is not in the pool yet has to earn its place: it is open for nothing. */
function seenAfter({ record, origin }: Proposal, after: Proposed, now: number): Seen {
  const on = serves(after);
  const reads = on && after.forReads;
  const broadcasts = on && after.forBroadcasts;
  const open = (need: Need): boolean =>
    record !== undefined && (heldFor(record, need, now) & ~asideFrom) === 0;
  return {
    origin,
    reads,
    broadcasts,
    openReads: reads && open(anyRead),
    openBroadcasts: broadcasts && open(anyBroadcast),
  };
}
