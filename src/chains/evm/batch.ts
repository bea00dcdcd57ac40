/** The answers to a batch, one a call. */

import { elementsOf, memberOf, type Span } from '../../wire/scan.ts';
import { spells, textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { split } from '../jsonrpc.ts';
import { readdress } from '../readdress.ts';
import { plain } from '../words.ts';
import { batchCap } from './words.ts';

/**
 * An error without an id is that of every call that got no answer: a node that refuses a whole batch answers with one, in
 * an array. geth gives it the first call's id; then its text tells.
 */
export function splitBatch(
  calls: readonly Call[],
  body: Uint8Array,
): readonly (Uint8Array | undefined)[] | undefined {
  const slices = split(calls, body);
  if (slices === undefined || !slices.includes(undefined)) return slices;
  const items = elementsOf(body, 0);
  const [only] = items;
  const whole = items.length === 1 && only !== undefined && isOfBatch(body, only);
  const [refusal, ...more] = whole ? items : items.filter(({ at }) => isUnnamedError(body, at));
  // Several of them say which call each is of only when they say the same.
  const said = (span: Span): string => textOf(body, span.at, span.end);
  if (refusal === undefined || more.some(other => said(other) !== said(refusal))) return slices;
  const error = body.subarray(refusal.at, refusal.end);
  return calls.map(
    (call, index) => slices[index] ?? (isUnnamedError(body, refusal.at) ? error : readdress(call, error)),
  );
}

function isOfBatch(body: Uint8Array, { at }: Span): boolean {
  const error = memberOf(body, at, 'error');
  return error !== undefined && batchCap.test(plain(textOf(body, error.at, error.end)));
}

function isUnnamedError(body: Uint8Array, at: number): boolean {
  const id = memberOf(body, at, 'id');
  const unnamed = id === undefined || spells(body, id.at, id.end, 'null');
  return unnamed && memberOf(body, at, 'error') !== undefined;
}
