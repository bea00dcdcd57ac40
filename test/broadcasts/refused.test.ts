import { beforeAll, describe, expect, it } from 'vitest';
import type { Broadcast } from '../../src/api/history-shapes.ts';
import { ownFault } from '../faults/answers.ts';
import { holdWrites } from '../faults/record.ts';
import { until } from '../kit/gateway.ts';
import { signed } from '../kit/signed.ts';
import { stage } from '../kit/stage.ts';
import { type Net, type Networks, networks } from './networks.ts';

/** What is not sent, or sent only once although it is no transaction at all (contract 6.1, 6.2 and section 2). */

async function rowsOf({ gateway }: Networks, chain: string): Promise<readonly Broadcast[]> {
  return (await gateway.api.ask('broadcasts', { chain, unknown: false, limit: 100 })).broadcasts;
}

describe('nothing leaves', () => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(
      on,
      (['evm', 'solana', 'xrpl', 'tron'] as const).flatMap(family => [
        { name: `on-${family}`, family },
        { name: `${family}-locked`, family },
      ]),
    );
  });

  const rows = (chain: string) => rowsOf(all, chain);

  it('signed for another EVM chain: refused with both numbers', async () => {
    const net = all.of('on-evm');
    const { status, text } = await net.post(signed.evm(1, 5).body('"mine"'));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ id: 'mine', error: { code: -32000 } });
    const message = ownFault({ status, text })?.message ?? '';
    expect(message).toMatch(/signed for chain id 5\b.*\bon-evm has chain id 10000\b/);
    expect(message).toContain('nothing left the gateway');
    expect([net.reached, await rows('on-evm')]).toEqual([[], []]);
  });

  it('signed for another XRPL network: refused with both numbers', async () => {
    const net = all.of('on-xrpl');
    const { status, text } = await net.post(signed.xrpl(1, { networkId: 21_337 }).body('7'));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { status: 'error' } });
    expect(ownFault({ status, text })?.message).toMatch(/network id 21337\b.*network id 10004\b/);
    expect([net.reached, await rows('on-xrpl')]).toEqual([[], []]);
  });

  const call = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const secret = 'sssssssssssssssssssssssssssss';

  it.each([
    ['on-evm', call('eth_sendTransaction', [{ from: '0x00', to: '0x00' }])],
    ['on-evm', call('eth_sign', ['0x00', '0x00'])],
    ['on-evm', call('eth_signTransaction', [{}])],
    ['on-evm', call('personal_sendTransaction', [{}, 'password'])],
    ['on-evm', call('personal_unlockAccount', ['0x00', 'password'])],
    [
      'on-xrpl',
      JSON.stringify({ method: 'submit', params: [{ secret, tx_json: { TransactionType: 'Payment' } }] }),
    ],
    ['on-xrpl', JSON.stringify({ method: 'submit', params: [{ tx_json: { TransactionType: 'Payment' } }] })],
    ['on-xrpl', JSON.stringify({ method: 'sign', params: [{ secret, tx_json: {} }] })],
    ['on-xrpl', JSON.stringify({ method: 'wallet_propose', params: [{}] })],
  ] as const)('a method that signs on the node, on %s: %s', async (chain, body) => {
    const net = all.of(chain);
    const { status, text } = await net.post(body);
    expect(status).toBe(200);
    expect(ownFault({ status, text })?.reason).toBe('method_refused');
    expect(text).not.toContain(secret);
    expect([net.reached, await rows(chain)]).toEqual([[], []]);
  });

  it.each(['easytransferbyprivate', 'gettransactionsign', 'createaddress'])(
    'a method that signs on the node, on tron: %s',
    async path => {
      const net = all.of('on-tron');
      const response = await all.gateway.post(`/on-tron/wallet/${path}`, { privateKey: secret });
      const text = await response.text();
      expect(ownFault({ status: response.status, text })?.reason).toBe('method_refused');
      expect(net.reached).toEqual([]);
    },
  );

  it.each(['evm', 'solana', 'xrpl', 'tron'] as const)(
    'the log cannot be written, on %s: a clear error and no byte, and it is sent when it can',
    async family => {
      const net = all.of(`${family}-locked`);
      const { gateway } = all;
      // Another process holds the one lock that a row needs.
      const letGo = holdWrites(gateway.place.dataDir);
      const refused = await net.send();
      await until(async () => (await gateway.get('/readyz')).text.includes('[!] store'));
      letGo();
      expect(refused.status).toBe(200);
      expect(ownFault(refused)).toMatchObject({
        reason: 'not_sent',
        message: expect.stringContaining('the record of broadcasts could not be written'),
        transaction: { id: net.tx.txId },
      });
      expect(net.reached).toEqual([]);
      let answer = await net.send();
      // It takes rows again when it has tried once more, a second later.
      while (ownFault(answer)?.reason === 'not_sent') answer = await net.send();
      expect(answer.text).toContain(net.tx.txId);
      expect(net.reached).toHaveLength(1);
    },
  );
});

describe('bytes that are no transaction', () => {
  const on = stage();
  let all: Networks;
  const garbage: Readonly<Record<string, (net: Net) => string>> = {
    evm: () => '{"jsonrpc":"2.0","id":4,"method":"eth_sendRawTransaction","params":["0xdeadbeef"]}',
    'evm, not even hex': () => '{"jsonrpc":"2.0","id":4,"method":"eth_sendRawTransaction","params":["zz"]}',
    'evm, cut short': ({ tx }) => tx.body('4').replace(/[0-9a-f]{10}"\]/, '"]'),
    solana: () => '{"jsonrpc":"2.0","id":4,"method":"sendTransaction","params":["3yZe7d"]}',
    xrpl: () => '{"method":"submit","params":[{"tx_blob":"C0FFEE","id":4}]}',
    tron: () => '{"transaction":"00ff"}',
  };
  const familyOf = (name: string) =>
    (name.startsWith('evm') ? 'evm' : name) as 'evm' | 'solana' | 'xrpl' | 'tron';
  const said: Readonly<Record<string, string>> = {
    evm: '{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Failed to decode transaction"}}',
    solana:
      '{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"failed to deserialize solana_transaction::versioned::VersionedTransaction: io error"}}',
    xrpl: '{"result":{"error":"invalidTransaction","error_exception":"Unknown field","status":"error"},"id":4}',
    tron: '{"Error":"class com.google.protobuf.InvalidProtocolBufferException : While parsing a protocol message, the input ended unexpectedly in the middle of a field."}',
  };

  beforeAll(async () => {
    all = await networks(
      on,
      Object.keys(garbage).map((name, at) => ({ name: `g${at}`, family: familyOf(name) })),
    );
  });

  it.each(Object.keys(garbage).map((name, at) => [name, `g${at}`]))(
    'on %s: they go to the node once, and its answer is the caller’s',
    async (name, chain) => {
      const net = all.of(chain);
      const text = said[familyOf(name)] ?? '';
      net.play({ at: 'whole', does: 'says', text });
      const body = garbage[name]?.(net) ?? '';
      const first = await net.post(body);
      expect(first).toMatchObject({ status: 200, text });
      expect((await net.post(body)).text).toBe(text);
      expect(net.reached.map(({ upstream }) => upstream)).toEqual(['a']);
      const broadcasts = await until(async () => {
        const found = await rowsOf(all, chain);
        return found[0]?.outcome !== 'pending' && found;
      });
      expect(broadcasts).toMatchObject([{ endpoint: 'a', outcome: 'rejected', txId: null }]);
    },
  );
});
