/** The gateway's own questions to an EVM endpoint. */

import type { HistoryKind } from '../../core/chain.ts';
import { readAnswer } from '../../wire/answer.ts';
import { memberOf, type Span, stringAt, valueAt } from '../../wire/scan.ts';
import { spells } from '../../wire/text.ts';
import type { Call, HeadSeen, Probe, Probes } from '../family.ts';
import { probeCall } from '../jsonrpc.ts';
import { methodOf } from './methods.ts';

const lookup = (name: string) => methodOf(name, false);
const ask = (method: string, params: readonly unknown[]): Call => probeCall(method, params, lookup);
const hex = (height: number): string => `0x${height.toString(16)}`;

/** The root of a trie without entries: what `transactionsRoot` is in a block without transactions. */
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
/** Some Cosmos chains leave the root of their empty blocks at zero. */
const zeroRoot = `0x${'0'.repeat(64)}`;
const nobody = `0x${'0'.repeat(40)}`;

const headCall = ask('eth_getBlockByNumber', ['latest', false]);
const identityCall = ask('eth_chainId', []);
const clientCall = ask('web3_clientVersion', []);

export const probes: Probes = {
  head: { call: headCall, read: body => blockHead(body, headCall) },
  identity: [{ call: identityCall, read: body => decimalIdentity(body) }],
  historyKinds: ['state', 'blocks', 'transactions'],
  history: historyProbe,
  client: { call: clientCall, read: body => textResult(body, clientCall) },
};

/** The span of the result's value. */
export function resultAt(body: Uint8Array, call: Call): Span | undefined {
  const reply = readAnswer(body, call.id);
  return reply.kind === 'result' ? reply.span : undefined;
}

function textResult(body: Uint8Array, call: Call): string | undefined {
  const span = resultAt(body, call);
  const text = span && stringAt(body, span);
  return text === '' ? undefined : text;
}

function decimalIdentity(body: Uint8Array): string | undefined {
  const text = textResult(body, identityCall);
  return text !== undefined && /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text).toString() : undefined;
}

function blockHead(body: Uint8Array, call: Call): HeadSeen | undefined {
  const span = resultAt(body, call);
  if (span === undefined || body[span.at] !== 0x7b) return undefined;
  const height = quantityMember(body, span, 'number');
  if (height === undefined) return undefined;
  const seconds = quantityMember(body, span, 'timestamp');
  return seconds === undefined ? { height } : { height, blockTimeMs: seconds * 1000 };
}

export function quantityMember(body: Uint8Array, object: Span, key: string): number | undefined {
  const span = memberOf(body, object.at, key);
  return span && quantity(body, span);
}

export function quantity(body: Uint8Array, span: Span): number | undefined {
  // By its bytes: it is read out of every answer that shows a height. 13 digits are exact.
  const digits = span.end - span.at - 4;
  if (digits < 1 || digits > 13) return undefined;
  if (!spells(body, span.at, span.at + 3, '"0x') && !spells(body, span.at, span.at + 3, '"0X'))
    return undefined;
  let value = 0;
  for (let i = span.at + 3; i < span.end - 1; i++) {
    const digit = hexDigit(body[i]!);
    if (digit < 0) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function historyProbe(kind: HistoryKind, height: number): Probe<boolean> {
  switch (kind) {
    case 'state': {
      const call = ask('eth_getBalance', [nobody, hex(height)]);
      return { call, read: body => (textResult(body, call) === undefined ? undefined : true) };
    }
    case 'blocks': {
      const call = ask('eth_getBlockByNumber', [hex(height), false]);
      return { call, read: body => hasBody(body, call) };
    }
    // Receipts go first where a node drops what belongs to old transactions. An empty list can mean an empty block.
    case 'transactions': {
      const call = ask('eth_getBlockReceipts', [hex(height)]);
      return { call, read: body => hasReceipts(body, call) };
    }
  }
}

/** A node that dropped old bodies can answer with the header and an empty list, under a root that is not the empty one. */
function hasBody(body: Uint8Array, call: Call): boolean | undefined {
  const span = resultAt(body, call);
  if (span === undefined) return undefined;
  const block = valueAt(body, span);
  if (block === null) return false;
  if (typeof block !== 'object' || !('transactions' in block) || !Array.isArray(block.transactions))
    return undefined;
  if (block.transactions.length > 0) return true;
  const root = 'transactionsRoot' in block ? block.transactionsRoot : undefined;
  return root === undefined || root === emptyRoot || root === zeroRoot;
}

function hasReceipts(body: Uint8Array, call: Call): boolean | undefined {
  const span = resultAt(body, call);
  if (span === undefined) return undefined;
  const receipts = valueAt(body, span);
  if (receipts === null) return false;
  return Array.isArray(receipts) && receipts.length > 0 ? true : undefined;
}
