import type { BroadcastEnd, BroadcastRow } from '../../src/gateway/ports.ts';

/** The row of a broadcast as the gateway makes it. */
export function broadcastRow(n: number): BroadcastRow {
  const id = `0x${n.toString(16).padStart(64, '0')}`;
  return {
    chain: 'ethereum',
    method: 'eth_sendRawTransaction',
    txId: id,
    digest: id.slice(2),
    options: '{}',
    endpoint: 'a',
    identityKey: 'ethereum/1/9f86d081884c7d65',
    requestId: `bench-${n}`,
    attempt: 1,
    earlier: undefined,
    facts: '{"nonce":"7"}',
  };
}

export const rowEnd: BroadcastEnd = {
  outcome: 'accepted',
  reached: 'answered',
  ms: 30,
  answer: new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"result":"0x${'ab'.repeat(32)}"}`),
  rule: 'evm.result',
};
