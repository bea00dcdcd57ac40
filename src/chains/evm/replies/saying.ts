/** How the rules of this folder ask an answer's facts. */

import type { Rule } from '../../rules.ts';
import type { EvmFacts } from '../facts.ts';
import { nodeTime } from '../words.ts';

export type EvmRule = Rule<EvmFacts>;

export const says = (f: EvmFacts, words: RegExp): boolean => words.test(f.text);
export const isError = (f: EvmFacts): boolean => f.shape === 'error';
/** An error, or a text or JSON of another form in an error's place. */
export const speaks = (f: EvmFacts): boolean =>
  f.shape === 'error' || f.shape === 'text' || f.shape === 'no_result';

export function withCode(...codes: readonly number[]): (f: EvmFacts) => boolean {
  const set = new Set(codes);
  return f => f.code !== undefined && set.has(f.code);
}

export const refusesCaller = (status: number): boolean =>
  status === 401 || status === 402 || status === 403 || status === 407 || status === 451;

export const gatewayFault = (status: number): boolean => status >= 502 && status <= 504;

/** A timeout, or a gateway that could not reach the node: words of rates and limits in it are beside the point. */
export function isSlow(f: EvmFacts): boolean {
  return gatewayFault(f.status) || nodeTime.test(f.text);
}

/** The text names the very method that was called. */
export function names(f: EvmFacts): boolean {
  return f.method.length > 4 && f.text.includes(f.method.toLowerCase());
}

/** Codes that mean a limit at one provider at least; words must not contradict. */
export const ofRate = withCode(429, 425, -32005, -32007, -32029, -32090, -32605, -32606, -32607, -32429);
/** The status again, as the code. */
export const ofRefusal = withCode(401, 402, 403, 407);
export const ofParams = withCode(-32600, -32602, -32700, -32011, -39013);
/** Refusals of ERC-4337 bundlers. */
export const ofUserOperation = (f: EvmFacts): boolean =>
  f.code !== undefined && f.code <= -32500 && f.code >= -32521;
/** Methods that send and wait for the receipt. */
export const syncSend = /Sync$|^realtime_/;
