/** A look for a transaction, question by question, against nodes that a test plays. */

import type { Family } from '../../src/chains/family.ts';
import type { Tracked } from '../../src/chains/follow-up.ts';
import type { Finding } from '../../src/core/follow-up.ts';
import { bytes } from './cases.ts';

export interface Looked {
  readonly finding: Finding | undefined;
  /** Methods or paths, in order. */
  readonly asked: readonly string[];
}

/** `node` gives the body of a 200, or nothing at all. The family judges it, as in the gateway. */
export function lookWith(
  family: Family,
  tracked: Partial<Tracked> & { readonly id: string },
  node: (method: string, request: string) => string | undefined,
): Looked {
  const asked: string[] = [];
  const look = family.followUp.look({
    facts: undefined,
    olderPossible: false,
    sent: { from: 900, to: 1_000 },
    ...tracked,
  });
  let step = look.next();
  while (step.done !== true) {
    const call = step.value;
    asked.push(call.method);
    const body = node(call.method, new TextDecoder().decode(call.text));
    if (body === undefined) {
      step = look.next(undefined);
      continue;
    }
    const answer = { status: 200, headers: { 'content-type': 'application/json' }, body: bytes(body) };
    const { verdict } = family.judge(call, answer, { nowMs: 0, chain: family.name });
    step = look.next({ verdict, body: answer.body });
  }
  return { finding: step.value, asked };
}
