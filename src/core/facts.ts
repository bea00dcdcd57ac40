/** Slow facts as they become known, and the operator's switches. Each gives the gates that opened or closed by it. */

import { forgiveTheOnly, recount } from './agreement.ts';
import type { HistoryKind } from './chain.ts';
import { type Change, changesOf } from './changes.ts';
import type { EndpointRecord } from './endpoint.ts';
import { fold } from './held.ts';
import { identityAgainMs, identityRetryMs, prove } from './identity.ts';
import type { Pool } from './pool.ts';
import { enterQuarantine } from './quarantine.ts';
import { rescore } from './score.ts';

/** One answer to the identity probe; `claims` undefined: it did not tell. */
export function noteIdentity(
  pool: Pool,
  record: EndpointRecord,
  claims: string | undefined,
  now: number,
): readonly Change[] {
  const said = prove(record.identity, record.chain.identity, claims, now);
  if (said === 'cleared') enterQuarantine(record.quarantine, 'it was on the wrong network', now);
  if (said === 'wrong' && record.quarantine.good > 0) record.quarantine.good = 0;
  fold(record);
  recount(pool, now);
  forgiveTheOnly(pool, now);
  return changesOf(record, now);
}

/** Whether it gives what building a transfer needs; undefined: it did not tell. What was shown stands. */
export function noteBuilds(
  record: EndpointRecord,
  builds: boolean | undefined,
  now: number,
): readonly Change[] {
  const { builds: known } = record;
  known.dueAt = now + (builds === true ? identityAgainMs : identityRetryMs);
  if (builds === undefined) return [];
  const answer = builds ? 'yes' : 'no';
  if (known.answer !== answer) known.since = now;
  known.answer = answer;
  fold(record);
  return changesOf(record, now);
}

/** The lowest height it keeps of this kind; 0: everything. */
export function noteHistory(
  record: EndpointRecord,
  kind: HistoryKind,
  lowest: number,
  headThen: number = record.head.height,
): void {
  record.kept[kind] = { lowest, headThen };
}

export function quarantine(record: EndpointRecord, reason: string, now: number): readonly Change[] {
  enterQuarantine(record.quarantine, reason, now);
  fold(record);
  return changesOf(record, now);
}

/** It need not earn its place after all. */
export function release(record: EndpointRecord, now: number): readonly Change[] {
  record.quarantine.good = -1;
  fold(record);
  return changesOf(record, now);
}

export interface Switches {
  readonly disabled?: boolean;
  readonly draining?: boolean;
  /** 0–100; the caller holds it against the operator's bounds. */
  readonly weight?: number;
}

export function setSwitches(
  pool: Pool,
  record: EndpointRecord,
  switches: Switches,
  now: number,
): readonly Change[] {
  const { disabled = record.disabled, draining = record.draining, weight = record.weight } = switches;
  if (disabled === record.disabled && draining === record.draining && weight === record.weight) return [];
  record.disabled = disabled;
  record.draining = draining;
  record.weight = weight;
  record.switchedAt = now;
  fold(record);
  recount(pool, now);
  rescore(pool, record, now);
  return changesOf(record, now);
}
