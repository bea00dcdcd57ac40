/** The gateway's own errors as the four families write them, and the words and codes that none of them may have. */

import { expect } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';

export interface ToldFault {
  readonly source: string;
  readonly reason: string;
  readonly message: string;
  readonly attempts: readonly { readonly endpoint: string; readonly verdict: string }[];
  readonly transaction: Readonly<Record<string, unknown>>;
}

/** The same members, wherever the family puts them. */
export function faultOf(text: string): ToldFault {
  const body = JSON.parse(text);
  if (body.error !== undefined) return { ...body.error.data, message: body.error.message };
  if (body.result?.rpcgw !== undefined) return { ...body.result.rpcgw, message: body.result.error_message };
  return { ...body.rpcgw, message: Buffer.from(body.message, 'hex').toString() || body.message };
}

/** On these a library sends again (contract 6.6). */
const words = /rate limit|header not found|already known|nonce too low|limit|too many requests/i;
const codes = [-1, -32005, -32007, -32016, 429];

export function harmlessOn(family: FamilyName, text: string): void {
  const fault = faultOf(text);
  expect(fault.source).toBe('rpcgw');
  expect(fault.message).not.toMatch(words);
  const body = JSON.parse(text);
  switch (family) {
    case 'evm':
      expect(body.error.code).toBe(-32000);
      break;
    case 'solana':
      expect(body.error.code).toBe(-32603);
      break;
    case 'xrpl':
      expect(body.result).toMatchObject({ error: 'internal', error_code: 73, status: 'error' });
      break;
    case 'tron':
      expect(body).toMatchObject({ result: false, code: 'OTHER_ERROR' });
      break;
  }
  expect(codes).not.toContain(body.error?.code);
}
