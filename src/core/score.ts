/** `score = (100 × success − latencyPenalty) × weight`, as a number for choosing and term by term for people. */

import type { WorkClass } from './chain.ts';
import type { EndpointRecord } from './endpoint.ts';
import { isKnown } from './ewma.ts';
import type { Pool } from './pool.ts';

const worstPenalty = 20;

/** 0 up to the median, then rising with the distance: all of it at twice the median. Being fast earns nothing. */
export function latencyPenalty(ms: number, medianMs: number): number {
  if (medianMs <= 0 || ms <= medianMs) return 0;
  return Math.min(worstPenalty, worstPenalty * (ms / medianMs - 1));
}

/** Brings the scores of all classes up to what the record says now. */
export function rescore(pool: Pool, record: EndpointRecord, now: number): void {
  const penalty = penaltyOf(pool, record, now);
  const { read, heavy, broadcast, weight } = record;
  read.score = (100 * read.success - penalty) * weight;
  heavy.score = (100 * heavy.success - penalty) * weight;
  broadcast.score = (100 * broadcast.success - penalty) * weight;
}

export interface ScoreTerms {
  readonly success: number;
  readonly samples: number;
  /** Latency of height reads, ms; undefined: none for five minutes, which costs nothing. */
  readonly latencyMs: number | undefined;
  /** What it is compared with, ms; undefined: nothing known. */
  readonly medianLatencyMs: number | undefined;
  readonly latencyPenalty: number;
  readonly weight: number;
  readonly score: number;
}

export function explainScore(
  pool: Pool,
  record: EndpointRecord,
  workClass: WorkClass,
  now: number,
): ScoreTerms {
  const { success, samples } = record[workClass];
  const penalty = penaltyOf(pool, record, now);
  return {
    success,
    samples,
    latencyMs: isKnown(record.heightLatency, now) ? record.heightLatency.ms : undefined,
    medianLatencyMs: pool.medianLatencyMs > 0 ? pool.medianLatencyMs : undefined,
    latencyPenalty: penalty,
    weight: record.weight,
    score: (100 * success - penalty) * record.weight,
  };
}

function penaltyOf(pool: Pool, record: EndpointRecord, now: number): number {
  return isKnown(record.heightLatency, now)
    ? latencyPenalty(record.heightLatency.ms, pool.medianLatencyMs)
    : 0;
}
