/** The answers to a batch, one a call. */

import { elementsOf, memberOf } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import { split } from '../jsonrpc.ts';

/**
 * An error without an id is that of every call that got no answer: a node that refuses a whole batch answers with one, in
 * an array.
 */
export function splitBatch(
  calls: readonly Call[],
  body: Uint8Array,
): readonly (Uint8Array | undefined)[] | undefined {
  const slices = split(calls, body);
  if (slices === undefined || !slices.includes(undefined)) return slices;
  const [refusal, ...more] = elementsOf(body, 0).filter(({ at }) => isUnnamedError(body, at));
  if (refusal === undefined || more.length > 0) return slices;
  return slices.map(slice => slice ?? body.subarray(refusal.at, refusal.end));
}

function isUnnamedError(body: Uint8Array, at: number): boolean {
  const id = memberOf(body, at, 'id');
  const unnamed = id === undefined || spells(body, id.at, id.end, 'null');
  return unnamed && memberOf(body, at, 'error') !== undefined;
}
