/** The parameters of a Solana call, by position. */

import { elementOf, memberOf, type Span, stringAt } from '../../wire/scan.ts';
import { textOf } from '../../wire/text.ts';
import type { Call } from '../family.ts';
import type { SolanaMethod } from './methods.ts';
import { methods } from './methods.ts';

export function methodOf(name: string): SolanaMethod {
  return (Object.hasOwn(methods, name) ? methods[name] : undefined) ?? { kind: 'read', unknown: true };
}

/** A positional parameter; undefined when there is none, or they came by name. */
export function param(call: Call, index: number): Span | undefined {
  return call.paramsAt < 0 || call.text[call.paramsAt] !== 0x5b
    ? undefined
    : elementOf(call.text, call.paramsAt, index);
}

/** A member of the object of options. */
export function option(call: Call, name: string): Span | undefined {
  const { options } = methodOf(call.method);
  const span = options === undefined ? undefined : param(call, options);
  return span === undefined || call.text[span.at] !== 0x7b ? undefined : memberOf(call.text, span.at, name);
}

export function optionText(call: Call, name: string): string | undefined {
  const span = option(call, name);
  return span === undefined ? undefined : stringAt(call.text, span);
}

/** A slot: a whole number that a double holds exactly. */
export function slotAt(text: Uint8Array, span: Span | undefined): number | undefined {
  const digits = span === undefined ? '' : textOf(text, span.at, span.end);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}
