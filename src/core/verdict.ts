/** The verdicts of contract section 4: what the result of one attempt means. */

export type Verdict =
  | 'ok'
  | 'app_error'
  | 'missing_history'
  | 'unsupported'
  | 'rate_limited'
  | 'auth_refused'
  | 'node_failure'
  | 'transport';

export interface VerdictFacts {
  /** Order of badness; a batch has the verdict of its worst item. */
  readonly rank: number;
  readonly fault: 'nobody' | 'caller' | 'endpoint';
  /** What a read does next: give the answer to the caller, or ask another endpoint. */
  readonly next: 'return' | 'elsewhere';
  /** What it does to the endpoint's success average of the class. */
  readonly score: 'success' | 'failure' | 'none';
  readonly means: string;
}

export const verdicts: Readonly<Record<Verdict, VerdictFacts>> = {
  ok: { rank: 0, fault: 'nobody', next: 'return', score: 'success', means: 'a usable answer, null too' },
  app_error: {
    rank: 1,
    fault: 'caller',
    next: 'return',
    score: 'success',
    means: "the node's definite answer to the caller",
  },
  missing_history: {
    rank: 2,
    fault: 'nobody',
    next: 'elsewhere',
    score: 'none',
    means: 'this node does not keep that history',
  },
  unsupported: {
    rank: 3,
    fault: 'nobody',
    next: 'elsewhere',
    score: 'none',
    means: 'this endpoint does not offer the method',
  },
  rate_limited: {
    rank: 4,
    fault: 'endpoint',
    next: 'elsewhere',
    score: 'none',
    means: 'asked to slow down, or a quota is used up',
  },
  auth_refused: {
    rank: 5,
    fault: 'endpoint',
    next: 'elsewhere',
    score: 'failure',
    means: 'it refuses our credential',
  },
  node_failure: {
    rank: 6,
    fault: 'endpoint',
    next: 'elsewhere',
    score: 'failure',
    means: 'up, but cannot answer rightly, or broken',
  },
  transport: {
    rank: 7,
    fault: 'endpoint',
    next: 'elsewhere',
    score: 'failure',
    means: 'no HTTP answer: dns, connect, TLS, timeout, reset',
  },
};

/** What is known about a transaction after one broadcast attempt (contract section 6). */
export type TxOutcome = 'accepted' | 'known' | 'rejected' | 'refused' | 'unknown';

/** A verdict with the rule that gave it. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Stable name of the rule, for example `evm.revert`. */
  readonly rule: string;
  /** Only for broadcasts. */
  readonly txOutcome?: TxOutcome;
  /** How long the endpoint asked us to stay away, ms. */
  readonly retryAfterMs?: number;
  /** `rate_limited` because a quota is used up: a failure too. */
  readonly quota?: true;
  /** `unsupported` that is about the method as a whole, and so may be remembered. */
  readonly wholeMethod?: true;
  /** `missing_history` that looks like a success: the client must not get it as it came. */
  readonly disguised?: true;
  /** No rule knew this error; the family's default was taken. */
  readonly unclassified?: true;
}
