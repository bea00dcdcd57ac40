import { beforeAll, describe, expect, it } from 'vitest';
import { ownFault } from '../faults/answers.ts';
import { evmRaw } from '../kit/signed.ts';
import { stage } from '../kit/stage.ts';
import { type Networks, networks } from './networks.ts';

/** Bodies that hold a broadcast beside other things (contract sections 2 and 6). */

describe('a batch with broadcasts and reads in it', () => {
  const on = stage();
  let all: Networks;

  beforeAll(async () => {
    all = await networks(on, [
      { name: 'mixed', family: 'evm' },
      { name: 'order', family: 'evm' },
      { name: 'lost', family: 'evm' },
      { name: 'escaped', family: 'evm' },
      { name: 'on-solana', family: 'solana' },
      { name: 'on-xrpl', family: 'xrpl' },
    ]);
  });

  const item = (id: string, method: string, params: string) =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

  it('is taken apart, and comes back in one array, in order, every id as it came', async () => {
    const net = all.of('mixed');
    const answer = await net.post(
      `[${[
        item('"head"', 'eth_blockNumber', '[]'),
        net.tx.body('0'),
        item('1.5', 'eth_gasPrice', '[]'),
        item('"signs"', 'eth_sendTransaction', '[{}]'),
        net.tx.body('"the same"'),
        item('2', 'eth_sendRawTransaction', '["0x00"]'),
        item('3', 'eth_chainId', '[]'),
      ].join(',')}]`,
    );
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject([
      { id: 'head', result: '0x3e8' },
      { id: 0, result: net.tx.txId },
      { id: 1.5, result: '0x3b9aca00' },
      { id: 'signs', error: { code: -32601 } },
      { id: 'the same', result: net.tx.txId },
      { id: 2, result: net.tx.txId },
      { id: 3 },
    ]);
    // The transaction once, and what is no transaction once.
    expect(net.reached.map(({ upstream }) => upstream)).toEqual(['a', 'a']);
  });

  it('sends its broadcasts one after the other, each after the one before is answered', async () => {
    const net = all.of('order');
    const chainId = Number(net.identity.chainId);
    const upstream = net.hold();
    const answer = net.post(
      `[${[5001, 5002, 5003].map(n => item(String(n), 'eth_sendRawTransaction', `["${evmRaw(n, chainId)}"]`)).join(',')}]`,
    );
    await upstream.there;
    // The reads of another client show that the gateway is not at rest meanwhile.
    for (let n = 0; n < 5; n += 1) await net.post(item('1', 'eth_gasPrice', '[]'));
    expect(net.reached).toHaveLength(1);
    upstream.letGo();
    expect(JSON.parse((await answer).text)).toMatchObject([{ id: 5001 }, { id: 5002 }, { id: 5003 }]);
    expect(net.reached).toHaveLength(3);
  });

  it('answers 200 with the reads in it, however the broadcast ends', async () => {
    const net = all.of('lost');
    net.play({ at: 'whole', does: 'reset' });
    const answer = await net.post(`[${item('1', 'eth_gasPrice', '[]')},${net.tx.body('2')}]`);
    expect(answer.status).toBe(200);
    const [read, broadcast] = JSON.parse(answer.text) as [unknown, unknown];
    expect(read).toMatchObject({ id: 1, result: '0x3b9aca00' });
    expect(ownFault({ status: 200, text: JSON.stringify(broadcast) })?.reason).toBe('broadcast_unknown');
    expect(net.reached).toHaveLength(1);
  });

  it.each([
    ['the method written with an escape', (body: string) => body.replace('Raw', '\\u0052aw')],
    ['a key written with an escape', (body: string) => body.replace('"method"', '"m\\u0065thod"')],
    ['a second method', (body: string) => body.replace('{', '{"method":"eth_gasPrice",')],
    ['a key in other letters', (body: string) => body.replace('{', '{"Method":"eth_sendRawTransaction",')],
  ])('%s: refused, alone and in a batch, and nothing leaves', async (_, change) => {
    const net = all.of('escaped');
    const body = change(net.tx.body());
    for (const text of [body, `[${body}]`]) {
      const { status, text: told } = await net.post(text);
      expect(status).toBe(400);
      expect(told).toContain('-32600');
    }
    expect(net.reached).toHaveLength(0);
  });

  it('on Solana too', async () => {
    const net = all.of('on-solana');
    const answer = await net.post(
      `[${item('"slot"', 'getSlot', '[]')},${net.tx.body('"tx"')},${item('9', 'getHealth', '[]')}]`,
    );
    expect(JSON.parse(answer.text)).toMatchObject([
      { id: 'slot' },
      { id: 'tx', result: net.tx.txId },
      { id: 9, result: 'ok' },
    ]);
    expect(net.reached).toHaveLength(1);
  });

  it('an XRPL batch that holds a submit is refused whole', async () => {
    const net = all.of('on-xrpl');
    const { params } = JSON.parse(net.tx.body()) as { params: readonly [object] };
    const answer = await net.post(
      JSON.stringify({ method: 'batch', params: [{ method: 'fee' }, { method: 'submit', ...params[0] }] }),
    );
    expect(answer.status).toBe(200);
    expect(ownFault(answer)).toMatchObject({
      reason: 'method_refused',
      message: expect.stringContaining(
        'item 2 of the batch: a batch may not hold a transaction; send it alone',
      ),
    });
    expect(net.reached).toHaveLength(0);
  });
});
