/**
 * Rules tried before the first client comes. The engine compiles a pattern at its first use and again, to machine code,
 * at its second: for all patterns of a family's rules that is up to 100 ms in one turn, at the first answer that no rule knows,
 * when there is trouble already. What is compiled stays.
 */

import type { FamilyName } from '../core/chain.ts';
import { classifyCase } from './classify.ts';
import { families } from './index.ts';

const message = 'words that say nothing';
const jsonRpc = { jsonrpc: '2.0', id: 1, error: { code: -1, message } };
const xrplError = { result: { status: 'error', error: 'unheardOf', error_message: message } };
const tronError = { code: 'UNHEARD_OF', message };

/** A read and a broadcast, each with an answer that comes to the last rows of its family's rules. */
export const strangers: Readonly<
  Record<FamilyName, readonly { readonly request: object; readonly body: object }[]>
> = {
  evm: [
    { request: { method: 'eth_call', params: [] }, body: jsonRpc },
    { request: { method: 'eth_sendRawTransaction', params: ['0x'] }, body: jsonRpc },
  ],
  solana: [
    { request: { method: 'getBalance', params: [] }, body: jsonRpc },
    { request: { method: 'sendTransaction', params: [''] }, body: jsonRpc },
  ],
  xrpl: [
    { request: { method: 'account_info', params: [{}] }, body: xrplError },
    { request: { method: 'submit', params: [{ tx_blob: '00' }] }, body: xrplError },
  ],
  tron: [
    { request: { path: '/wallet/getaccount', body: {} }, body: tronError },
    { request: { path: '/wallet/broadcasttransaction', body: {} }, body: tronError },
  ],
};

export function rehearse(names: Iterable<FamilyName>): void {
  for (const family of names) {
    for (const { request, body } of strangers[family]) {
      const recorded = { family, request, response: { status: 200, headers: {}, body } };
      for (let time = 0; time < 2; time += 1) classifyCase(recorded, families, 0);
    }
  }
}
