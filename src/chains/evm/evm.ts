/** EVM chains: JSON-RPC over POST. */

import { elementsOf } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call, Family } from '../family.ts';
import { filterMade, filterUsed } from '../filters.ts';
import { faultBody, join, openJsonRpc, peekReply, tailReply } from '../jsonrpc.ts';
import { readdress } from '../readdress.ts';
import { splitBatch } from './batch.ts';
import { answeredId, followUp, knownReply } from './follow-up.ts';
import { judgeAnswer } from './judge.ts';
import { type EvmMethod, methodOf, methods } from './methods.ts';
import { needOf } from './need.ts';
import { probes, quantity, quantityMember, resultAt } from './probes.ts';
import { replies } from './replies.ts';
import { transactionOf } from './tx.ts';

const lookups = {
  production: (name: string): EvmMethod => methodOf(name, false),
  development: (name: string): EvmMethod => methodOf(name, true),
};

/** What `lookups` gave to the call. */
const specOf = (call: Call): EvmMethod => call.spec;

export const evm: Family = {
  name: 'evm',
  methods,
  rules: replies,
  open: (incoming, options) =>
    openJsonRpc(incoming, options, options.development ? lookups.development : lookups.production, ''),
  need: call => needOf(call, specOf(call)),
  judge: (call, answer, context) => judgeAnswer(call, specOf(call), answer, context),
  peek: peekReply,
  tail: tailReply,
  headOf,
  absent,
  filterMade,
  filterUsed,
  transaction: call => transactionOf(call, specOf(call)),
  readdress,
  knownReply,
  answeredId,
  followUp,
  fault: faultBody,
  join,
  split: splitBatch,
  probes,
};

/** `eth_blockNumber`, and the newest block when that was asked for. */
function headOf(call: Call, body: Uint8Array): number | undefined {
  const { method } = call;
  if (method !== 'eth_blockNumber' && method !== 'eth_getBlockByNumber') return undefined;
  if (method === 'eth_getBlockByNumber' && !asksLatest(call)) return undefined;
  const span = resultAt(body, call);
  if (span === undefined) return undefined;
  if (method === 'eth_blockNumber') return quantity(body, span);
  return body[span.at] === 0x7b ? quantityMember(body, span, 'number') : undefined;
}

function asksLatest(call: Call): boolean {
  const first = call.paramsAt < 0 ? undefined : elementsOf(call.text, call.paramsAt)[0];
  return first !== undefined && spells(call.text, first.at, first.end, '"latest"');
}

function absent(call: Call, body: Uint8Array): boolean {
  if (specOf(call).absent !== true) return false;
  const span = resultAt(body, call);
  return span !== undefined && spells(body, span.at, span.end, 'null');
}
