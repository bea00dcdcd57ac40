/** What a call needs of its endpoint, read by position out of its parameters. */

import type { WorkClass } from '../../core/chain.ts';
import type { Need } from '../../core/need.ts';
import { afterSpace } from '../../wire/grammar.ts';
import { elementsOf, memberOf, type Span, stringAt } from '../../wire/scan.ts';
import type { Call } from '../family.ts';
import type { EvmMethod, Place } from './methods.ts';

/** Where a request stands in time. */
export type Standing =
  /** At the head, or nowhere in particular; or in the block that is being made. */
  | { readonly in: 'head'; readonly pending?: true }
  /** A hash: somewhere. */
  | { readonly in: 'hash' }
  /** Between these heights; `high` is absent when it is one, or when it ends at the head (`tip`). */
  | { readonly in: 'past'; readonly low: number; readonly high?: number; readonly tip?: true };

const head: Standing = { in: 'head' };
/** What stands in no block yet: each node has its own. */
const pending: Standing = { in: 'head', pending: true };
const byHash: Standing = { in: 'hash' };

export function needOf(call: Call, method: EvmMethod): Need {
  const workClass: WorkClass =
    method.kind === 'broadcast' ? 'broadcast' : method.kind === 'heavy' ? 'heavy' : 'read';
  const need = { class: workClass, method: call.method };
  if (method.timeless) return { ...need, timeless: true };
  const standing = method.place === undefined ? head : standingOf(call, method.place);
  if (standing.in === 'head') return method.own || standing.pending ? { ...need, own: true } : need;
  const kind = method.keeps;
  if (standing.in === 'hash') {
    if (kind === undefined) return need;
    return method.own ? { ...need, unplaced: kind, own: true } : { ...need, unplaced: kind };
  }
  const { low, high } = standing;
  return {
    ...need,
    height: high ?? low,
    ...(standing.tip ? { tip: true as const } : {}),
    ...(kind === undefined ? {} : { history: { kind, height: low } }),
  };
}

export function standingOf(call: Call, place: Place): Standing {
  if (call.paramsAt < 0) return head;
  const { text } = call;
  const params = elementsOf(text, call.paramsAt);
  switch (place.by) {
    case 'hash':
      return byHash;
    case 'block':
      return blockAt(text, params[place.at]);
    case 'span':
      return spanOf(blockAt(text, params[place.at]), quantityAt(text, params[place.count]));
    case 'range':
      return between(blockAt(text, params[place.at]), blockAt(text, params[place.to]));
    case 'filter':
      return filterAt(text, params[place.at]);
  }
}

function filterAt(text: Uint8Array, span: Span | undefined): Standing {
  if (span === undefined || text[span.at] !== 0x7b) return head;
  const hash = memberOf(text, span.at, 'blockHash');
  if (hash !== undefined && text[hash.at] === 0x22) return byHash;
  return between(
    blockAt(text, memberOf(text, span.at, 'fromBlock')),
    blockAt(text, memberOf(text, span.at, 'toBlock')),
  );
}

function between(from: Standing, to: Standing): Standing {
  if (from.in === 'hash' || to.in === 'hash') return byHash;
  if (from.in === 'head') return to.in === 'head' ? head : to;
  if (to.in === 'head') return { ...from, tip: true };
  return { in: 'past', low: Math.min(from.low, to.low), high: Math.max(from.low, to.low) };
}

/** `count` blocks that end at `newest`. */
function spanOf(newest: Standing, count: number | undefined): Standing {
  if (newest.in !== 'past' || count === undefined) return newest;
  return { in: 'past', low: Math.max(0, newest.low - count + 1), high: newest.low };
}

/** A number, a tag, a hash, or an object of EIP-1898; what cannot be read stands at the head. */
function blockAt(text: Uint8Array, span: Span | undefined): Standing {
  if (span === undefined) return head;
  if (text[span.at] === 0x7b) {
    const number = memberOf(text, span.at, 'blockNumber');
    if (number !== undefined) return blockAt(text, number);
    return memberOf(text, span.at, 'blockHash') === undefined ? head : byHash;
  }
  if (text[span.at] === 0x22 && span.end - span.at === 68) return byHash;
  const low = quantityAt(text, span);
  if (low !== undefined) return { in: 'past', low };
  const tag = tagAt(text, span);
  if (tag === 'earliest') return { in: 'past', low: 0 };
  return tag === 'pending' ? pending : head;
}

function tagAt(text: Uint8Array, span: Span): string | undefined {
  return span.end - span.at > 16 ? undefined : stringAt(text, span);
}

/** A height or count as nodes write it, `"0x10"`, or as some clients do, `16` and `"16"`. */
function quantityAt(text: Uint8Array, span: Span | undefined): number | undefined {
  if (span === undefined || span.end - span.at > 20) return undefined;
  const spelled = text[span.at] === 0x22 ? stringAt(text, span) : numberText(text, span);
  if (spelled === undefined || !/^(?:0[xX][0-9a-fA-F]{1,13}|\d{1,15})$/.test(spelled)) return undefined;
  return Number(spelled);
}

function numberText(text: Uint8Array, span: Span): string {
  return String.fromCharCode(...text.subarray(span.at, span.end));
}

/** In a method that stands in no table: true when its parameters name a height or a hash. */
export function namesMoment(call: Call): boolean {
  if (call.paramsAt < 0) return false;
  return elementsOf(call.text, call.paramsAt).some(span => {
    if (call.text[span.at] === 0x7b) return filterAt(call.text, span).in !== 'head';
    return call.text[afterSpace(call.text, span.at)] === 0x22 && blockAt(call.text, span).in !== 'head';
  });
}
