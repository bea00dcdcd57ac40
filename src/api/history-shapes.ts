/** What the store and the memory of the daemon tell of the past: reports, traces, the audit. */

import { z } from 'zod/mini';
import { count, maybeNumber, maybeText, maybeTime, time } from './fields.ts';

const reportRow = z.object({
  chain: z.string(),
  endpoint: z.string(),
  /** First and end of the last minute that counts. */
  from: time,
  to: time,
  requests: count,
  p50Ms: maybeNumber,
  p95Ms: maybeNumber,
  p99Ms: maybeNumber,
  /** Blocks. */
  lagMedian: maybeNumber,
  lagWorst: maybeNumber,
  verdicts: z.record(z.string(), count),
  /** Answers that were the endpoint's fault, and their share of all, 0–1. */
  errors: count,
  errorRate: z.number(),
  circuitOpenings: count,
  /** Time out of rotation. */
  outMs: z.number(),
  /** The gateway's own requests. */
  probes: count,
});
export type ReportRow = z.infer<typeof reportRow>;

export const report = z.object({
  since: time,
  until: time,
  rows: z.array(reportRow),
  notes: z.array(z.object({ chain: z.string(), text: z.string() })),
});
export type Report = z.infer<typeof report>;

const tracedRequest = z.object({
  chain: z.string(),
  method: z.string(),
  class: z.enum(['read', 'broadcast', 'heavy']),
  /** A verdict, or the reason of the gateway's own error; `gone`: the client went away. */
  outcome: z.string(),
  startedAt: time,
  ms: z.number(),
  attempts: z.array(z.object({ endpoint: z.string(), verdict: z.string(), ms: z.number() })),
});

/** Items of a batch are requests of their own. */
export const trace = z.object({ requestId: z.string(), requests: z.array(tracedRequest) });
export type Trace = z.infer<typeof trace>;

const detail = z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])));

const auditRow = z.object({
  id: count,
  time,
  /** As the command states it. */
  who: z.string(),
  /** Always false: of who sits at the other end of the socket nothing is known but that its mode lets them in. */
  whoProven: z.boolean(),
  action: z.string(),
  chain: maybeText,
  target: maybeText,
  result: z.enum(['done', 'already', 'refused']),
  before: detail,
  after: detail,
  note: maybeText,
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditRow>;

export const auditList = z.object({ rows: z.array(auditRow) });

export const auditVerdict = z.object({
  sound: z.boolean(),
  rows: z.nullable(count),
  /** The newest hash. */
  head: maybeText,
  fault: maybeText,
  /** The first row that does not hold. */
  row: z.nullable(count),
  text: z.string(),
});
export type AuditVerdict = z.infer<typeof auditVerdict>;

const broadcast = z.object({
  /** Of the attempt. */
  id: count,
  chain: z.string(),
  method: z.string(),
  /** Absent where the bytes give none; the digest tells it then. */
  txId: maybeText,
  digest: z.string(),
  endpoint: z.string(),
  requestId: z.string(),
  attempt: count,
  /** The attempt it repeats on purpose. */
  earlier: z.nullable(count),
  began: time,
  ended: maybeTime,
  outcome: z.string(),
  reached: maybeText,
  ms: maybeNumber,
  rule: maybeText,
  followUp: z.nullable(
    z.object({
      reason: z.string(),
      opened: time,
      looks: count,
      lastLook: maybeTime,
      latest: maybeText,
      height: maybeNumber,
      firstSeen: maybeTime,
      settled: z.nullable(z.object({ at: time, how: z.string(), note: z.string(), who: maybeText })),
    }),
  ),
});
export type Broadcast = z.infer<typeof broadcast>;

/** Newest first. */
export const broadcasts = z.object({ now: time, broadcasts: z.array(broadcast) });
export type Broadcasts = z.infer<typeof broadcasts>;

/** One transaction: all attempts, oldest first, and what happened around them. */
export const broadcastStory = z.object({
  now: time,
  attempts: z.array(
    z.extend(broadcast, {
      /** The node's own words, the endpoint's secrets masked; `null`: none kept, or its secrets are not known any more. */
      answer: maybeText,
    }),
  ),
  timeline: z.array(z.object({ time, id: count, kind: z.string(), text: z.string() })),
});
export type BroadcastStory = z.infer<typeof broadcastStory>;
