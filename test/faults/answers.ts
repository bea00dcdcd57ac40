/** What a client is told of a broadcast, and whether a library that reads it could send again by itself (contract 6.6). */

import type { FamilyName } from '../../src/core/chain.ts';

export interface Told {
  readonly status: number;
  readonly text: string;
}

/** A gateway's own error, wherever the family puts it; undefined: it is a node's answer. */
export interface OwnFault {
  readonly reason: string;
  readonly message: string;
  readonly transaction?: { readonly id?: string; readonly outcome?: string };
}

interface Shape {
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: Partial<OwnFault> };
  readonly result?: {
    readonly error?: string;
    readonly error_code?: number;
    readonly error_message?: string;
    readonly rpcgw?: Partial<OwnFault>;
  };
  readonly code?: string;
  readonly message?: string;
  readonly rpcgw?: Partial<OwnFault>;
}

export function ownFault({ text }: Told): OwnFault | undefined {
  const body = JSON.parse(text) as Shape; // Every member is optional: whatever is not there is not read.
  const { error, result, rpcgw } = body;
  const found = error?.data ?? result?.rpcgw ?? rpcgw;
  if (found?.reason === undefined) return undefined;
  const plain = body.message === undefined ? '' : Buffer.from(body.message, 'hex').toString() || body.message;
  return { ...found, reason: found.reason, message: error?.message ?? result?.error_message ?? plain };
}

/** Of an answer of any form; of a node's own, and of what is no JSON, nothing. */
export function messageOf(told: Told): string {
  try {
    return ownFault(told)?.message ?? '';
  } catch {
    return '';
  }
}

/** On these a library sends again. */
const words = /rate limit|header not found|already known|nonce too low|limit|too many requests/i;
const codes = [-1, -32005, -32007, -32016, 429];
const own: Readonly<Record<FamilyName, (body: Shape) => boolean>> = {
  evm: ({ error }) => error?.code === -32000,
  solana: ({ error }) => error?.code === -32603,
  xrpl: ({ result }) => result?.error === 'internal' && result.error_code === 73,
  tron: ({ code }) => code === 'OTHER_ERROR',
};

/** What is wrong with the answer as such; nothing about whether it is true. */
export function dangers(family: FamilyName, told: Told): string[] {
  const found: string[] = [];
  if (told.status !== 200) found.push(`HTTP ${told.status}`);
  let fault: OwnFault | undefined;
  try {
    fault = ownFault(told);
  } catch {
    return [...found, `no JSON: ${told.text.slice(0, 100)}`];
  }
  if (fault === undefined) return found;
  const body = JSON.parse(told.text) as Shape;
  if (words.test(fault.message)) found.push(`words: ${fault.message}`);
  if (codes.includes(body.error?.code ?? 0) || !own[family](body))
    found.push(`code: ${told.text.slice(0, 200)}`);
  return found;
}
