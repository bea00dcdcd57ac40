/**
 * How a family's replies are judged: an ordered table, first match wins. Rows are data, so that the docs page, the tests
 * and `rpcgw classify` read the same thing. Order within a table: structure, then codes and fields, then words; a test
 * holds every table to that, and asks for a fixture per row.
 */

import type { Judgement, TxOutcome, Verdict } from '../core/verdict.ts';

export type Stage = 'structure' | 'field' | 'words';

/** A row as it is read by people: everything but its test. */
export interface RuleRow {
  /** Stable, `<family>.<what>`. */
  readonly id: string;
  readonly stage: Stage;
  /** The signal in words, for the docs: "code -32601", "text: header not found". */
  readonly signal: string;
  /** What it applies to, in words, when not to everything. */
  readonly only?: string;
  readonly verdict: Verdict;
  readonly tx?: TxOutcome;
  readonly quota?: true;
  readonly wholeMethod?: true;
  readonly disguised?: true;
  readonly unclassified?: true;
  /** One line: why this verdict. */
  readonly why: string;
  /** Id of a corpus case this row decides. */
  readonly fixture: string;
}

export interface Rule<Facts> extends RuleRow {
  readonly when: (facts: Facts) => boolean;
}

export interface Judged {
  readonly broadcast: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The last row of every table must match everything. */
export function firstMatch<Facts extends Judged>(rules: readonly Rule<Facts>[], facts: Facts): Judgement {
  for (const rule of rules) {
    if (!rule.when(facts)) continue;
    return {
      verdict: rule.verdict,
      rule: rule.id,
      ...(facts.broadcast ? { txOutcome: rule.tx ?? defaultOutcome(rule.verdict) } : {}),
      ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
      ...(rule.quota ? { quota: true } : {}),
      ...(rule.wholeMethod && !facts.broadcast ? { wholeMethod: true } : {}),
      ...(rule.disguised ? { disguised: true } : {}),
      ...(rule.unclassified ? { unclassified: true } : {}),
    };
  }
  return { verdict: 'node_failure', rule: 'no_rule', unclassified: true };
}

/** What a verdict says of a transaction when its rule says nothing: only an answer that names a refusal proves one. */
function defaultOutcome(verdict: Verdict): TxOutcome {
  switch (verdict) {
    case 'ok':
      return 'accepted';
    case 'app_error':
      return 'rejected';
    case 'rate_limited':
    case 'auth_refused':
    case 'unsupported':
      return 'refused';
    default:
      return 'unknown';
  }
}
