import { describe, expect, test } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';
import {
  type Act,
  FakeWorld,
  type FakeWorldOptions,
  type MemoryLog,
  type Reply,
  watched,
} from '../kit/fake-world.ts';
import { type Signed, signed, solanaBytes, xrplBlob } from '../kit/signed.ts';
import { faultOf, harmlessOn } from './broadcast-replies.ts';

const families: readonly FamilyName[] = ['evm', 'solana', 'xrpl', 'tron'];
const tx = signed.evm(0);

const says = (body: string, more: Partial<Extract<Act, { does: 'answer' }>> = {}): Act => ({
  does: 'answer',
  body,
  ...more,
});
const error = (code: number, message: string) =>
  `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":${JSON.stringify(message)}}}`;

/** The first endpoint, or each, does this. */
function worldOf(act: Act, options: FakeWorldOptions = {}): FakeWorld {
  const script = () => act;
  return new FakeWorld({ scripts: { a: script, b: script, c: script }, ...options });
}

/** To the end of its time, with heads that were just shown. */
async function sent(world: FakeWorld, ...args: Parameters<FakeWorld['send']>): Promise<Reply> {
  world.show(1_000);
  const reply = world.send(...args);
  await world.clock.pass(9_000);
  return reply;
}

describe.each(families)('on %s', family => {
  const one = signed[family](0);
  const own = family === 'tron' ? undefined : '"mine"';

  test('one connection of its own, one row, and the node’s own bytes', async () => {
    const world = worldOf(says(one.accepted(own)), { family });
    const reply = await sent(world, one, own === undefined ? {} : { id: own });
    expect(reply).toMatchObject({
      status: 200,
      text: one.accepted(own),
      headers: {
        'rpcgw-endpoint': 'a',
        'rpcgw-attempts': '1',
        'rpcgw-verdict': 'ok',
        'rpcgw-request-id': 'r1',
      },
    });
    expect(world.received).toMatchObject([{ endpoint: 'a', alone: true, body: one.body(own) }]);
    expect(world.log.rows).toMatchObject([
      {
        txId: one.txId,
        endpoint: 'a',
        outcome: 'accepted',
        reached: 'answered',
        attempt: 1,
        earlier: undefined,
      },
    ]);
    expect(world.lines).toMatchObject([
      { txId: one.txId, endpoint: 'a', outcome: 'accepted', ms: 10, row: 1 },
    ]);
    expect(world.requests).toMatchObject([{ class: 'broadcast', outcome: 'ok', requestId: 'r1' }]);
  });

  test('the same in flight joins, and each gets the answer under the id it came with', async () => {
    const world = worldOf(says(one.accepted('1'), { afterMs: 500 }), { family });
    const replies = [world.send(one, { id: '1' })];
    await world.clock.pass(100);
    replies.push(world.send(one, { id: '"two"', rebroadcast: true }), world.send(one, { id: '3' }));
    await world.clock.pass(1_000);
    expect((await Promise.all(replies)).map(({ text }) => text)).toEqual([
      one.accepted('1'),
      one.accepted('"two"'),
      one.accepted('3'),
    ]);
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.marks).toMatchObject([
      { row: 1, kind: 'joined' },
      { row: 1, kind: 'joined' },
    ]);
  });

  test('the same in one turn joins too', async () => {
    const world = worldOf(says(one.accepted()), { family });
    const replies = [world.send(one), world.send(one), world.send(one)];
    await world.clock.pass(1_000);
    for (const reply of replies) expect((await reply).text).toBe(one.accepted());
    expect(world.sentTo).toEqual(['a']);
  });

  test('the same again gets the recorded answer, over a restart too', async () => {
    const world = worldOf(says(one.accepted()), { family, chain: { repeatWindowMs: 60_000 } });
    await sent(world, one);
    const again = await sent(world, one, { id: '7' });
    expect(again).toMatchObject({
      text: one.accepted('7'),
      headers: { 'rpcgw-attempts': '0', 'rpcgw-endpoint': 'a', 'rpcgw-verdict': 'ok' },
    });
    await world.restart();
    expect((await sent(world, one, { id: '8' })).text).toBe(one.accepted('8'));
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.marks.map(({ kind }) => kind)).toEqual(['repeated', 'repeated']);
  });

  test('an outcome that is unknown is looked for, and once seen it is answered as known', async () => {
    const world = worldOf({ does: 'hang' }, { family });
    expect(faultOf((await sent(world, one)).text).reason).toBe('broadcast_unknown');
    expect(world.follower.size).toBe(1);
    expect(faultOf((await sent(world, one, { id: '2' })).text).reason).toBe('broadcast_unknown');
    world.log.look(1, { found: 'pool', endpoint: 'b' });
    const reply = await sent(world, one, { id: '3' });
    expect(reply.text).toContain(one.txId);
    const body = JSON.parse(reply.text);
    if (family === 'evm' || family === 'solana')
      expect(body).toEqual({ jsonrpc: '2.0', id: 3, result: one.txId });
    if (family === 'xrpl') expect(body).toMatchObject({ id: 3, result: { engine_result: 'tefALREADY' } });
    // tronweb reads the text of the transaction out of an answer to broadcasthex, and throws without it.
    if (family === 'tron')
      expect(body).toEqual({ result: true, txid: one.txId, transaction: JSON.stringify({ txID: one.txId }) });
    expect(world.sentTo).toEqual(['a']);
  });
});

describe('no row, no byte', () => {
  const cases: readonly (readonly [string, Partial<Pick<MemoryLog, 'commit' | 'writable' | 'read'>>])[] = [
    ['the disk is full', { commit: 'fail' }],
    ['the store says that it takes no rows', { writable: false }],
    ['the disk hangs', { commit: 'stall' }],
    ['a row takes longer than a second', { commit: 1_001 }],
    ['the record cannot be read', { read: 'fail' }],
    ['reading the record hangs', { read: 'stall' }],
    ['reading and writing the record together take longer than a second', { read: 600, commit: 500 }],
    ['reading the record takes the whole second', { read: 999.5, commit: 1 }],
  ];

  test.each(cases)('%s', async (_, broken) => {
    const world = worldOf(says(tx.accepted()));
    Object.assign(world.log, broken);
    const reply = world.send(tx);
    await world.clock.pass(1_000);
    const fault = faultOf((await reply).text);
    expect(fault.reason).toBe('not_sent');
    expect(fault.message).toContain('Nothing left the gateway');
    harmlessOn('evm', (await reply).text);
    // What was held up comes all the same: nobody sends on it any more, and it says so.
    world.log.release();
    await world.clock.pass(20_000);
    expect(world.received).toEqual([]);
    expect(world.log.rows.map(({ outcome, reached }) => [outcome, reached])).toEqual(
      world.log.rows.map(() => ['refused', 'not_connected']),
    );
    expect(world.chain.pool.records.map(({ inFlight }) => inFlight)).toEqual([0, 0, 0]);
    expect(world.chain.pool.requests).toBe(0);
  });

  test('the row of the second attempt cannot be written: the first one’s story is told', async () => {
    const world = worldOf({ does: 'fault', kind: 'dns', reached: 'not_connected', afterMs: 100 });
    const reply = world.send(tx);
    await world.clock.pass(50);
    world.log.commit = 'fail';
    await world.clock.pass(100);
    const fault = faultOf((await reply).text);
    expect(fault).toMatchObject({ reason: 'not_sent', attempts: [{ endpoint: 'a' }] });
    expect(fault.message).toContain('the record of broadcasts could not be written');
    expect(world.received).toEqual([]);
  });

  test('after a not_sent the same bytes are a new broadcast at once', async () => {
    const world = worldOf(says(tx.accepted()));
    world.log.commit = 2_000;
    await sent(world, tx);
    world.log.commit = 1;
    expect((await sent(world, tx)).text).toBe(tx.accepted());
    expect(world.log.rows.map(({ outcome, earlier }) => [outcome, earlier])).toEqual([
      ['refused', undefined],
      ['accepted', 1],
    ]);
  });
});

describe('time', () => {
  test('an attempt has at most seven and a half seconds', async () => {
    const world = worldOf({ does: 'hang' });
    const reply = watched(world.send(tx));
    await world.clock.pass(7_500);
    expect(reply.value).toBeUndefined();
    await world.clock.pass(10);
    expect(reply.value).toBeDefined();
  });

  test('it has what is left of the body’s time, if that is less', async () => {
    const world = worldOf({ does: 'hang' });
    const reply = watched(world.send(tx, { deadlineMs: 4_000 }));
    await world.clock.pass(3_999);
    expect(reply.value).toBeUndefined();
    await world.clock.pass(1);
    expect(reply.value).toBeDefined();
  });

  test('none starts with under three seconds left, and no row is written for it', async () => {
    const world = worldOf(says(tx.accepted()));
    const fault = faultOf((await sent(world, tx, { deadlineMs: 2_999 })).text);
    expect(fault.reason).toBe('not_sent');
    expect(world.log.rows).toEqual([]);
    expect(world.received).toEqual([]);
  });

  test('waiting for the row used the time up: the row is closed, nothing goes out', async () => {
    const world = worldOf(says(tx.accepted()));
    world.log.commit = 900;
    const fault = faultOf((await sent(world, tx, { deadlineMs: 3_500 })).text);
    expect(fault.reason).toBe('not_sent');
    expect(world.received).toEqual([]);
    expect(world.log.rows).toMatchObject([{ outcome: 'refused', reached: 'not_connected' }]);
  });

  test('a first endpoint that took long to fail leaves no time for a second', async () => {
    const world = worldOf({
      does: 'fault',
      kind: 'connect_timeout',
      reached: 'not_connected',
      afterMs: 6_500,
    });
    const fault = faultOf((await sent(world, tx)).text);
    expect(fault).toMatchObject({ reason: 'not_sent', attempts: [{ endpoint: 'a' }] });
    expect(world.log.rows).toHaveLength(1);
  });

  test('a connection that is still being made when the time is over: nothing left, and nothing leaves later', async () => {
    const world = worldOf({ does: 'answer', body: tx.accepted(), connectMs: 9_000 });
    const fault = faultOf((await sent(world, tx)).text);
    expect(fault).toMatchObject({
      reason: 'not_sent',
      transaction: { reached: 'not_connected', outcome: 'refused' },
    });
    expect(world.log.rows).toMatchObject([{ endpoint: 'a', outcome: 'refused', reached: 'not_connected' }]);
    await world.clock.pass(60_000);
    expect(world.received).toEqual([]);
  });

  test('the whole ends within nine seconds, whatever fails in whichever order', async () => {
    const world = new FakeWorld({
      scripts: {
        a: () => ({ does: 'fault', kind: 'connect_timeout', reached: 'not_connected', afterMs: 2_000 }),
        b: () => ({ does: 'hang' }),
      },
    });
    world.log.commit = 999;
    const reply = watched(world.send(tx));
    await world.clock.pass(9_000);
    expect(faultOf(reply.value?.text ?? '').reason).toBe('broadcast_unknown');
    expect(world.sentTo).toEqual(['b']);
  });

  test('who joins with less time than the first hears that it is not over', async () => {
    const world = worldOf({ does: 'hang' });
    const first = watched(world.send(tx));
    await world.clock.pass(10);
    const second = watched(world.send(tx, { id: '2', deadlineMs: 1_000 }));
    await world.clock.pass(1_000);
    expect(first.value).toBeUndefined();
    expect(faultOf(second.value?.text ?? '')).toMatchObject({
      reason: 'broadcast_unknown',
      transaction: { id: tx.txId },
    });
    harmlessOn('evm', second.value?.text ?? '');
  });

  test('a given-up attempt never hands anything over later', async () => {
    const world = worldOf(says(tx.accepted(), { connectMs: 8_000 }));
    await sent(world, tx);
    await world.clock.pass(60_000);
    expect(world.received).toEqual([]);
  });
});

describe('the same again', () => {
  const nonceGap = error(-32000, 'intrinsic gas too low');

  test('after the window it is a new broadcast whose row names the earlier one', async () => {
    const world = worldOf(says(tx.accepted()));
    await sent(world, tx);
    await world.clock.pass(60_000);
    await sent(world, tx);
    expect(world.sentTo).toEqual(['a', 'a']);
    expect(world.log.rows.map(({ earlier }) => earlier)).toEqual([undefined, 1]);
  });

  test('with the header it is a new broadcast at once', async () => {
    const world = worldOf(says(tx.accepted()));
    await sent(world, tx);
    await sent(world, tx, { rebroadcast: true });
    expect(world.sentTo).toEqual(['a', 'a']);
    expect(world.log.rows.map(({ earlier }) => earlier)).toEqual([undefined, 1]);
  });

  test('a rejection is repeated for ten seconds', async () => {
    const world = worldOf(says(nonceGap));
    const first = world.send(tx);
    await world.clock.pass(100);
    expect((await first).text).toBe(nonceGap);
    await world.clock.pass(9_000);
    const second = world.send(tx, { id: '2' });
    await world.clock.pass(100);
    expect((await second).text).toBe(nonceGap.replace('"id":1', '"id":2'));
    await world.clock.pass(1_000);
    await sent(world, tx);
    expect(world.sentTo).toEqual(['a', 'a']);
  });

  test('a refusal is repeated for the whole window: bytes have left', async () => {
    const world = worldOf(says('Too Many Requests', { status: 429 }));
    await sent(world, tx);
    expect(world.sentTo).toEqual(['a', 'b']);
    const again = await sent(world, tx);
    expect(faultOf(again.text)).toMatchObject({
      reason: 'broadcast_refused',
      transaction: { endpoint: 'b' },
    });
    expect(faultOf(again.text).message).toMatch(/may be sent again in 5\d s/);
    harmlessOn('evm', again.text);
    expect(world.sentTo).toEqual(['a', 'b']);
    // Cooled down by then.
    await world.clock.pass(60_000);
    world.show(1_010);
    await sent(world, tx);
    expect(world.sentTo.length).toBeGreaterThan(2);
  });

  test('on Solana the window is two seconds', async () => {
    const one = signed.solana(0);
    const world = worldOf(says(one.accepted()), { family: 'solana', chain: { repeatWindowMs: 2_000 } });
    const first = world.send(one);
    await world.clock.pass(100);
    await first;
    const second = world.send(one);
    await world.clock.pass(1_000);
    await second;
    expect(world.sentTo).toEqual(['a']);
    await world.clock.pass(1_000);
    await sent(world, one);
    expect(world.sentTo).toEqual(['a', 'a']);
  });

  test('is the same however its bytes are written, and another one with other options', async () => {
    const bytes = solanaBytes(0);
    const body = (params: string): Signed => ({
      ...signed.solana(0),
      body: (id = '1') => `{"jsonrpc":"2.0","id":${id},"method":"sendTransaction","params":${params}}`,
    });
    const { base58, base64 } = await import('@scure/base');
    const world = worldOf({ does: 'hang' }, { family: 'solana' });
    const calls = [
      body(`["${base64.encode(bytes)}",{"encoding":"base64"}]`),
      body(`["${base58.encode(bytes)}"]`),
      body(`["${base58.encode(bytes)}",{"skipPreflight":true}]`),
    ];
    const replies = calls.map(call => world.send(call));
    await world.clock.pass(9_000);
    await Promise.all(replies);
    expect(world.log.rows).toHaveLength(2);
  });

  test('is another one by another method, or with other bytes', async () => {
    const world = worldOf({ does: 'hang' });
    const replies = [tx, signed.evm(1), signed.evm(0, 1, 'eth_sendPrivateRawTransaction')].map(one =>
      world.send(one),
    );
    await world.clock.pass(9_000);
    await Promise.all(replies);
    expect(world.log.rows).toHaveLength(3);
  });

  test.each([
    ['a row that came too late', false],
    ['a row that came too late, and a restart', true],
    ['endpoints that could not be reached', false],
    ['endpoints that could not be reached, and a restart', true],
  ])(
    'a later try of which nothing left (%s) does not hide that the first may have arrived',
    async (how, restarts) => {
      const world = worldOf({ does: 'hang' });
      await sent(world, tx);
      if (how.includes('row')) world.log.commit = 1_500;
      else
        for (const name of ['a', 'b', 'c'])
          world.scripts[name] = () => ({ does: 'fault', kind: 'dns', reached: 'not_connected' });
      expect(faultOf((await sent(world, tx, { rebroadcast: true })).text).reason).toBe('not_sent');
      world.log.commit = 1;
      expect(new Set(world.log.rows.slice(1).map(({ outcome }) => outcome))).toEqual(new Set(['refused']));
      if (restarts) await world.restart();
      expect(faultOf((await sent(world, tx)).text)).toMatchObject({
        reason: 'broadcast_unknown',
        transaction: { endpoint: 'a' },
      });
      expect(world.sentTo).toEqual(['a']);
    },
  );

  test('of tries of which nothing left, the newest is named by the next, over a restart too', async () => {
    const world = worldOf({ does: 'fault', kind: 'dns', reached: 'not_connected' });
    await sent(world, tx);
    await sent(world, tx);
    await world.restart();
    await sent(world, tx);
    expect(world.log.rows.map(({ earlier }) => earlier)).toEqual([undefined, undefined, 2, 2, 4, 4]);
  });

  test('an acceptance whose answer was not kept is answered by what is known', async () => {
    const world = worldOf(says(tx.accepted()));
    await sent(world, tx);
    for (const row of world.log.rows) delete row.answer;
    await world.restart();
    expect((await sent(world, tx, { id: '5' })).text).toBe(tx.accepted('5'));
    expect(world.sentTo).toEqual(['a']);
  });

  test.each([false, true])(
    'one turned it away and the other was never reached: the refusal is what a repeat hears of (restarted: %s)',
    async restarted => {
      const world = new FakeWorld({
        scripts: {
          a: () => says('Too Many Requests', { status: 429 }),
          b: () => ({ does: 'fault', kind: 'connect_refused', reached: 'not_connected' }),
          c: () => says(tx.accepted()),
        },
      });
      await sent(world, tx);
      expect(world.log.rows).toMatchObject([
        { endpoint: 'a', outcome: 'refused', reached: 'answered' },
        { endpoint: 'b', outcome: 'refused', reached: 'not_connected' },
      ]);
      if (restarted) await world.restart();
      expect(faultOf((await sent(world, tx)).text)).toMatchObject({
        reason: 'broadcast_refused',
        transaction: { endpoint: 'a' },
      });
      expect(world.sentTo).toEqual(['a']);
      expect(world.log.rows).toHaveLength(2);
    },
  );

  test('a row that came too late, and has no end yet, does not make an unknown of what was never sent', async () => {
    const world = worldOf(says(tx.accepted()));
    world.show(1_000);
    world.log.commit = 1_050;
    const first = world.send(tx);
    await world.clock.pass(1_000);
    expect(faultOf((await first).text).reason).toBe('not_sent');
    world.log.commit = 1;
    await world.clock.pass(51);
    expect(world.log.rows).toMatchObject([{ outcome: 'pending' }]);
    expect((await sent(world, tx)).text).toBe(tx.accepted());
    expect(world.log.rows).toMatchObject([
      { outcome: 'refused', reached: 'not_connected' },
      { outcome: 'accepted' },
    ]);
  });

  test('while the end of the first is not on disk yet, the answer is still known', async () => {
    const world = worldOf(says(tx.accepted()));
    const reply = world.send(tx);
    await world.clock.pass(11);
    expect((await reply).text).toBe(tx.accepted());
    expect(world.log.rows[0]?.outcome).toBe('pending');
    const again = world.send(tx, { id: '2' });
    await world.clock.pass(1);
    expect((await again).text).toBe(tx.accepted('2'));
  });

  test('after a crash in the middle it reads unknown, is looked up, and is not sent again', async () => {
    const world = worldOf({ does: 'hang' });
    void world.send(tx);
    await world.clock.pass(500);
    await world.restart();
    expect(world.follower.size).toBe(1);
    const fault = faultOf((await sent(world, tx)).text);
    expect(fault).toMatchObject({ reason: 'broadcast_unknown', transaction: { id: tx.txId, endpoint: 'a' } });
    expect(fault.transaction).not.toHaveProperty('reached');
    expect(fault.message).toContain('the gateway was interrupted');
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toHaveLength(1);
  });
});

describe('signed for another chain', () => {
  test('an EVM chain id that is not the chain’s: refused with both, nothing written, nothing sent', async () => {
    const world = worldOf(says('{}'));
    const foreign = signed.evm(0, 56);
    const reply = await sent(world, foreign);
    expect(reply.status).toBe(200);
    const fault = faultOf(reply.text);
    expect(fault).toMatchObject({ reason: 'wrong_chain', transaction: { id: foreign.txId } });
    expect(fault.message).toContain('chain id 56');
    expect(fault.message).toContain('ethereum has chain id 1');
    harmlessOn('evm', reply.text);
    expect(world.log.rows).toEqual([]);
    expect(world.received).toEqual([]);
    expect(world.chain.stats.verdicts).toMatchObject({ node_failure: 0, app_error: 1 });
  });

  test('an XRPL network id: the same, and one that is not signed tells nothing', async () => {
    const world = worldOf(says(signed.xrpl(0).accepted()), { family: 'xrpl' });
    const foreign = signed.xrpl(0, { networkId: 21_337 });
    const fault = faultOf((await sent(world, foreign)).text);
    expect(fault.reason).toBe('wrong_chain');
    expect(fault.message).toMatch(/network id 21337.*network id 0/);
    await sent(world, signed.xrpl(0));
    expect(world.sentTo).toEqual(['a']);
  });

  test('bytes that are no transaction go to the node once, and its answer is the caller’s', async () => {
    const body = error(-32602, 'Failed to decode transaction');
    const world = worldOf(says(body));
    const garbage: Signed = {
      target: '',
      txId: '',
      body: (id = '1') =>
        `{"jsonrpc":"2.0","id":${id},"method":"eth_sendRawTransaction","params":["0xdead"]}`,
      accepted: () => '',
    };
    expect((await sent(world, garbage)).text).toBe(body);
    expect((await sent(world, garbage)).text).toBe(body);
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toMatchObject([{ txId: undefined, outcome: 'rejected' }]);
  });
});

describe('an acceptance under another id', () => {
  test.each(families)('on %s is an alarm, and unknown to the caller, with both ids', async family => {
    const one = signed[family](0);
    const other = signed[family](1);
    const world = worldOf(says(other.accepted()), { family });
    const reply = await sent(world, one);
    const fault = faultOf(reply.text);
    expect(fault.reason).toBe('broadcast_unknown');
    expect(fault.message).toContain(one.txId);
    expect(fault.message).toContain(other.txId);
    harmlessOn(family, reply.text);
    expect(world.log.rows).toMatchObject([{ outcome: 'unknown', reached: 'answered' }]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ kind: 'other_id', level: 'alarm', endpoint: 'a' }),
    );
    expect(world.sentTo).toEqual(['a']);
    expect(world.follower.size).toBe(1);
  });

  test('a rejection may name what it likes', async () => {
    const one = signed.xrpl(0);
    const rejected = signed
      .xrpl(1)
      .accepted()
      .replace('tesSUCCESS', 'temBAD_FEE')
      .replaceAll(':true', ':false');
    const world = worldOf(says(rejected), { family: 'xrpl' });
    expect((await sent(world, one)).text).toBe(rejected);
    expect(world.log.rows).toMatchObject([{ outcome: 'rejected' }]);
  });

  test('letter case makes no other id', async () => {
    const upper = `{"jsonrpc":"2.0","id":1,"result":"0x${tx.txId.slice(2).toUpperCase()}"}`;
    const world = worldOf(says(upper));
    expect((await sent(world, tx)).text).toBe(upper);
  });

  test('a receipt names it by a member', async () => {
    const sync = signed.evm(0, 1, 'eth_sendRawTransactionSync');
    const receipt = (hash: string) =>
      `{"jsonrpc":"2.0","id":1,"result":{"transactionHash":"${hash}","status":"0x1"}}`;
    const good = worldOf(says(receipt(tx.txId)));
    expect((await sent(good, sync)).text).toBe(receipt(tx.txId));
    const bad = worldOf(says(receipt(signed.evm(1).txId)));
    expect(faultOf((await sent(bad, sync)).text).reason).toBe('broadcast_unknown');
  });
});

describe('what must not be seen', () => {
  const key = 'KEY-OF-a-0123456789';

  test('secrets in a rejection are masked, in the answer and in the record', async () => {
    const world = worldOf(says(error(-32000, `insufficient funds at https://a.example/v3/${key}`)));
    const reply = await sent(world, tx);
    expect(JSON.parse(reply.text).error.message).toContain('insufficient funds');
    expect(reply.text).not.toContain(key);
    expect(Buffer.from(world.log.rows[0]?.answer ?? []).toString()).not.toContain(key);
  });

  test('secrets in an answer that is only quoted are masked too', async () => {
    const world = worldOf(says(`<html>no such path /v3/${key}</html>`, { status: 500 }));
    const reply = await sent(world, tx);
    expect(faultOf(reply.text).transaction.answer).toContain('no such path');
    expect(reply.text).not.toContain(key);
    expect(JSON.stringify([world.events, world.lines, world.log.marks])).not.toContain(key);
  });

  test.each(families)(
    'on %s names of endpoints and chains bring no word on which a library sends again',
    async family => {
      const name = 'no-rate-limit-node';
      const acts: readonly Act[] = [
        { does: 'hang' },
        { does: 'fault', kind: 'dns', reached: 'not_connected' },
        says('Too Many Requests', { status: 429 }),
        says(signed[family](1).accepted()),
      ];
      for (const act of acts) {
        const world = new FakeWorld({ family, endpoints: [name], scripts: { [name]: () => act } });
        const reply = await sent(world, signed[family](0));
        harmlessOn(family, reply.text);
        harmlessOn(family, (await sent(world, signed[family](0))).text);
      }
    },
  );

  test('the reasons that hold endpoints back bring none either', async () => {
    const world = worldOf(says('Too Many Requests', { status: 429 }));
    const replies = [world.send(tx)];
    await world.clock.pass(100);
    replies.push(world.send(signed.evm(1)));
    await world.clock.pass(100);
    replies.push(world.send(signed.evm(2)));
    await world.clock.pass(100);
    const [, , last] = await Promise.all(replies);
    expect(faultOf(last?.text ?? '').message).toMatch(/no endpoint may take it: a \(cooldown\)/);
    harmlessOn('evm', last?.text ?? '');
  });
});

describe('what follows', () => {
  test('a nonce that is used: the transaction is looked up', async () => {
    const world = worldOf(says(error(-32000, 'nonce too low: next nonce 5, tx nonce 0')));
    await sent(world, tx);
    expect(world.follower.size).toBe(1);
    expect(await world.log.followed()).toMatchObject([{ row: 1, followUp: { reason: 'rejected' } }]);
  });

  test('a sequence that is used, on XRPL', async () => {
    const one = signed.xrpl(0);
    const body = one.accepted().replace('tesSUCCESS', 'tefPAST_SEQ').replaceAll(':true', ':false');
    const world = worldOf(says(body), { family: 'xrpl' });
    await sent(world, one);
    expect(await world.log.followed()).toMatchObject([{ followUp: { reason: 'rejected' } }]);
  });

  test('any other rejection is the end of it', async () => {
    const world = worldOf(says(error(-32000, 'intrinsic gas too low')));
    await sent(world, tx);
    expect(world.follower.size).toBe(0);
  });

  test('an acceptance is looked up where the chain asks for it', async () => {
    const world = worldOf(says(tx.accepted()), { chain: { confirmBroadcasts: true } });
    await sent(world, tx);
    expect(await world.log.followed()).toMatchObject([{ followUp: { reason: 'confirm' } }]);
    const silent = worldOf(says(tx.accepted()));
    await sent(silent, tx);
    expect(silent.follower.size).toBe(0);
  });

  test('what settling needs is in the row before the byte', async () => {
    const world = worldOf({ does: 'hang' });
    void world.send(tx);
    await world.clock.pass(100);
    expect(JSON.parse(world.log.rows[0]?.facts ?? '')).toMatchObject({ nonce: '0x0' });
    const blob = signed.xrpl(0);
    expect(blob.body()).toContain(xrplBlob(0, { lastLedger: 5_000 }));
  });

  test('an unknown outcome is told as an event', async () => {
    const world = worldOf({ does: 'hang' });
    await sent(world, tx);
    expect(world.events).toContainEqual(
      expect.objectContaining({ kind: 'broadcast_unknown', level: 'warn', endpoint: 'a' }),
    );
  });
});

describe('endpoints', () => {
  const notSeen = '{"jsonrpc":"2.0","id":1,"result":null}';
  const isLookUp = (body: string) => body.includes('eth_getTransactionByHash');
  const broken = ({ body }: { readonly body: string }) =>
    isLookUp(body) ? says(notSeen) : says('', { status: 502 });

  test('what an attempt showed is known to the pool: five lost ones open the circuit', async () => {
    const world = new FakeWorld({ endpoints: ['a'], scripts: { a: broken } });
    for (let n = 0; n < 5; n++) await sent(world, signed.evm(n));
    expect(world.chain.pool.records[0]?.broadcast.circuit.state).toBe('open');
    expect(world.events).toContainEqual(expect.objectContaining({ kind: 'circuit', endpoint: 'a' }));
    const fault = faultOf((await sent(world, signed.evm(9))).text);
    expect(fault.reason).toBe('not_sent');
    expect(fault.message).toContain('no endpoint may take it: a (');
    expect(world.log.rows).toHaveLength(5);
  });

  test('a half-open circuit takes one broadcast, and an acceptance releases it', async () => {
    const world = new FakeWorld({ endpoints: ['a'], scripts: { a: broken } });
    for (let n = 0; n < 5; n++) await sent(world, signed.evm(n));
    world.scripts.a = ({ body }) => says(isLookUp(body) ? notSeen : signed.evm(10).accepted());
    await world.clock.pass(30_000);
    world.show(1_005);
    const [first, second] = [world.send(signed.evm(10)), world.send(signed.evm(11))];
    await world.clock.pass(1_000);
    expect((await first).text).toBe(signed.evm(10).accepted());
    expect(faultOf((await second).text).reason).toBe('not_sent');
    expect(world.chain.pool.records[0]?.broadcast.circuit.state).toBe('closed');
  });

  test('a trial whose row cannot be written leaves the half-open circuit to the next', async () => {
    const world = new FakeWorld({ endpoints: ['a'], scripts: { a: broken } });
    for (let n = 0; n < 5; n++) await sent(world, signed.evm(n));
    await world.clock.pass(30_000);
    world.show(1_005);
    world.log.commit = 'fail';
    await sent(world, signed.evm(10));
    expect(world.chain.pool.records[0]?.broadcast.trial).toBe(false);
    world.log.commit = 1;
    world.show(1_006);
    await sent(world, signed.evm(10));
    expect(world.sentTo).toHaveLength(6);
  });

  test('the one the operator prefers gets it, and one that is never to have any does not', async () => {
    const world = worldOf(says(tx.accepted()), {
      endpoints: [{ name: 'a', broadcast: 'never' }, 'b', { name: 'c', broadcast: 'prefer' }],
    });
    await sent(world, tx);
    expect(world.sentTo).toEqual(['c']);
  });
});

describe('a fault of the gateway itself', () => {
  test('before anything was sent: not sent', async () => {
    const world = worldOf(says('{}'));
    const transaction = () => {
      throw new Error('a bug');
    };
    world.chain = { ...world.chain, family: { ...world.chain.family, transaction } };
    const reply = await sent(world, tx);
    expect(faultOf(reply.text).reason).toBe('not_sent');
    expect(world.events).toContainEqual(expect.objectContaining({ kind: 'fault', level: 'alarm' }));
  });

  test('with a row on disk: unknown, and looked up', async () => {
    const world = worldOf({ does: 'throw' });
    const reply = await sent(world, tx);
    expect(faultOf(reply.text).reason).toBe('broadcast_unknown');
    expect(world.log.rows).toMatchObject([{ outcome: 'unknown' }]);
    expect(world.events).toContainEqual(expect.objectContaining({ kind: 'fault', level: 'alarm' }));
    expect(world.broadcasts.inFlight).toBe(0);
    expect(world.chain.pool.requests).toBe(0);
    expect(world.chain.pool.records.map(({ inFlight }) => inFlight)).toEqual([0, 0, 0]);
    expect(world.follower.size).toBe(1);
  });
});
