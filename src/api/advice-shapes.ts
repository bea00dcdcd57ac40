/** What the daemon tells when it is asked for its opinion: of a request, a URL, a config, itself. */

import { z } from 'zod/mini';
import { count, maybeNumber, maybeText, maybeTime } from './fields.ts';

export const gate = z.object({
  name: z.string(),
  /** Never bypassed. */
  hard: z.boolean(),
  reason: z.string(),
  since: maybeTime,
  until: maybeTime,
  next: maybeText,
});

export const explanation = z.object({
  chain: z.string(),
  method: z.string(),
  /** `local`: answered here; `refused`: never forwarded. */
  kind: z.enum(['read', 'heavy', 'broadcast', 'local', 'refused']),
  class: z.enum(['read', 'broadcast', 'heavy']),
  /** What it needs: the highest height it names, and history of a kind at a height. */
  height: maybeNumber,
  history: z.nullable(z.object({ kind: z.string(), height: z.number() })),
  /** It names something that cannot be placed in time: only full history is sure to have it. */
  unplaced: maybeText,
  /** It stands in no table: sent once. */
  unknownMethod: z.boolean(),
  chosen: maybeText,
  /** The chosen one first, then in the order in which they would be tried, then the held ones. */
  endpoints: z.array(
    z.object({
      name: z.string(),
      place: z.enum(['chosen', 'next', 'last_resort', 'unfit', 'held']),
      reason: z.string(),
      score: z.number(),
      gates: z.array(gate),
    }),
  ),
  /** Why it goes nowhere, when it goes nowhere. */
  text: maybeText,
});
export type Explanation = z.infer<typeof explanation>;

const check = z.object({
  name: z.string(),
  result: z.enum(['pass', 'warn', 'fail', 'info']),
  text: z.string(),
});
export type Check = z.infer<typeof check>;

export const examination = z.object({
  chain: z.string(),
  /** Scheme and host, nothing else of the URL. */
  host: z.string(),
  checks: z.array(check),
  height: maybeNumber,
  /** Behind the pool, blocks. */
  lag: maybeNumber,
  latencyMs: z.object({ samples: count, p50: maybeNumber, p95: maybeNumber }),
  client: maybeText,
  history: z.string(),
  /** Requests that the endpoint got. */
  calls: count,
  verdict: z.enum(['good', 'usable', 'bad']),
  /** It could be added: nothing failed, and it is not there yet. */
  addable: z.boolean(),
  /** Ready to be typed; the URL is left for you to fill in. */
  next: maybeText,
});
export type Examination = z.infer<typeof examination>;

const change = z.object({
  kind: z.string(),
  chain: maybeText,
  endpoint: maybeText,
  /** A reload leaves it as it is. */
  needsRestart: z.boolean(),
  text: z.string(),
});

export const plan = z.object({
  file: z.string(),
  /** In force now, or would be: what needs no restart. */
  applied: z.boolean(),
  changes: z.array(change),
  text: z.string(),
});
export type Plan = z.infer<typeof plan>;

const finding = z.object({
  /** `fault`: something does not work; `warn`: it will not for long; `note`: good to know. */
  level: z.enum(['fault', 'warn', 'note']),
  subject: z.string(),
  text: z.string(),
  next: maybeText,
});
export type Finding = z.infer<typeof finding>;

/** Most important first. */
export const diagnosis = z.object({
  ok: z.boolean(),
  findings: z.array(finding),
  /** What was looked at. */
  checked: z.array(z.string()),
});
export type Diagnosis = z.infer<typeof diagnosis>;
