/** Filters of JSON-RPC live on the node that made them. */

import { afterSpace, LEFT_BRACE } from '../wire/grammar.ts';
import { elementOf, memberOf, stringAt } from '../wire/scan.ts';
import { hasMark } from '../wire/text.ts';
import type { Call } from './family.ts';

/** Its id, from the answer to the call that made it. */
export function filterMade(call: Call, body: Uint8Array): string | undefined {
  if (call.spec.filter !== 'makes') return undefined;
  const start = afterSpace(body, hasMark(body) ? 3 : 0);
  const result = body[start] === LEFT_BRACE ? memberOf(body, start, 'result') : undefined;
  return result === undefined ? undefined : stringAt(body, result);
}

/** Its id, from the params of a call that uses it. */
export function filterUsed(call: Call): string | undefined {
  if (call.spec.filter !== 'uses' || call.paramsAt < 0) return undefined;
  const id = elementOf(call.text, call.paramsAt, 0);
  return id === undefined ? undefined : stringAt(call.text, id);
}
