import type { BroadcastEnd, BroadcastRow } from '../gateway/ports.ts';

/** One attempt as it stands in the record. Times are wall clock ms. */
export interface BroadcastRecord extends BroadcastRow {
  readonly row: number;
  readonly began: number;
  readonly outcome: BroadcastEnd['outcome'] | 'pending';
  /** Absent while pending, and after a crash: then nobody knows how far it got. */
  readonly reached?: BroadcastEnd['reached'];
  readonly ms?: number;
  readonly rule?: string;
  readonly ended?: number;
  readonly followUp?: FollowUp;
}

/** Why a transaction is looked up: its outcome is unknown; it was rejected for a used nonce; it is to be confirmed. */
export type FollowReason = 'unknown' | 'rejected' | 'confirm';

/** What was found out about a transaction after its attempts. */
export interface FollowUp {
  readonly reason: FollowReason;
  readonly opened: number;
  readonly looks: number;
  readonly lastLook?: number;
  readonly latest?: Found;
  readonly height?: number;
  readonly firstSeen?: number;
  readonly settled?: Settled;
}

export type Found = 'pool' | 'block' | 'not_seen';

export interface Settled {
  readonly at: number;
  /** In a block that two endpoints agree on; impossible for good; said so by an operator. */
  readonly how: 'final' | 'impossible' | 'operator';
  readonly note: string;
  readonly who?: string;
}

export interface TimelineEntry {
  readonly at: number;
  /** The attempt it belongs to. */
  readonly row: number;
  readonly kind: string;
  readonly text: string;
}

/** Where a row has no transaction id, its digest tells the transaction. */
export function txKey(row: Pick<BroadcastRow, 'txId' | 'digest'>): string {
  return row.txId ?? `digest:${row.digest}`;
}

/** `broadcast` left-joined with `follow_up`, whose columns have the prefix `f_`. */
export interface JoinedRow {
  row: number;
  chain: string;
  method: string;
  tx_id: string | null;
  tx_key: string;
  digest: string;
  options: string;
  endpoint: string;
  identity_key: string;
  request_id: string;
  attempt: number;
  earlier: number | null;
  facts: string | null;
  began: number;
  outcome: BroadcastEnd['outcome'] | null;
  reached: BroadcastEnd['reached'] | null;
  ms: number | null;
  rule: string | null;
  ended: number | null;
  f_reason: FollowReason | null;
  f_opened: number;
  f_looks: number;
  f_last_look: number | null;
  f_latest: Found | null;
  f_height: number | null;
  f_first_seen: number | null;
  f_settled: number | null;
  f_how: Settled['how'] | null;
  f_note: string | null;
  f_who: string | null;
}

export const joinedColumns = `b.row, b.chain, b.method, b.tx_id, b.tx_key, b.digest, b.options, b.endpoint,
  b.identity_key, b.request_id, b.attempt, b.earlier, b.facts, b.began, b.outcome, b.reached, b.ms, b.rule, b.ended,
  f.reason AS f_reason, f.opened AS f_opened, f.looks AS f_looks, f.last_look AS f_last_look, f.latest AS f_latest,
  f.height AS f_height, f.first_seen AS f_first_seen, f.settled AS f_settled, f.how AS f_how, f.note AS f_note,
  f.who AS f_who
  FROM broadcast b LEFT JOIN follow_up f ON f.chain = b.chain AND f.tx_key = b.tx_key`;

export function readBroadcast(row: JoinedRow): BroadcastRecord {
  return {
    row: row.row,
    chain: row.chain,
    method: row.method,
    txId: row.tx_id ?? undefined,
    digest: row.digest,
    options: row.options,
    endpoint: row.endpoint,
    identityKey: row.identity_key,
    requestId: row.request_id,
    attempt: row.attempt,
    earlier: row.earlier ?? undefined,
    began: row.began,
    outcome: row.outcome ?? 'pending',
    ...present({ facts: row.facts, reached: row.reached, ms: row.ms, rule: row.rule, ended: row.ended }),
    ...(row.f_reason === null ? {} : { followUp: readFollowUp(row, row.f_reason) }),
  };
}

function readFollowUp(row: JoinedRow, reason: FollowReason): FollowUp {
  return {
    reason,
    opened: row.f_opened,
    looks: row.f_looks,
    ...present({
      lastLook: row.f_last_look,
      latest: row.f_latest,
      height: row.f_height,
      firstSeen: row.f_first_seen,
    }),
    ...(row.f_settled === null || row.f_how === null
      ? {}
      : {
          settled: {
            at: row.f_settled,
            how: row.f_how,
            note: row.f_note ?? '',
            ...present({ who: row.f_who }),
          },
        }),
  };
}

/** SQL's null is an absent member. */
function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  // fromEntries forgets the keys' types; none is added or renamed.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
