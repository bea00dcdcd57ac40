import { describe, expect, test } from 'vitest';
import { type Act, FakeWorld, type FakeWorldOptions, settle, watched } from '../kit/fake-world.ts';
import { evmRaw, largeEvm, type Signed, signed } from '../kit/signed.ts';
import { faultOf, harmlessOn } from './broadcast-replies.ts';

// A transaction whose reading takes many turns of the event loop.
const large = largeEvm(0, 200_000);
const small = signed.evm(1);

function worldOf(transactions: readonly Signed[], options: FakeWorldOptions = {}): FakeWorld {
  const script = ({ body }: { readonly body: string }): Act => {
    const one = transactions.find(({ txId }) => idOf(body) === txId);
    return { does: 'answer', body: one?.accepted() ?? '{}' };
  };
  const idOf = (body: string) => transactions.find(one => one.body() === body)?.txId;
  return new FakeWorld({ scripts: { a: script, b: script, c: script }, ...options });
}

describe('a large transaction', () => {
  test('takes many turns, and is then sent as any other', async () => {
    const world = worldOf([large]);
    const reply = world.send(large);
    await world.clock.pass(100);
    expect((await reply).text).toBe(large.accepted());
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toMatchObject([{ txId: large.txId, outcome: 'accepted' }]);
    expect(world.log.rows[0]?.facts).toContain('"nonce":"0x0"');
    // 200 kB: two hashes in slices of 8 kB, and the rest.
    expect(world.clock.turns).toBeGreaterThan(50);
  });

  test('lets a small one pass, which takes no turn of its own', async () => {
    const world = worldOf([large, small]);
    const first = watched(world.send(large));
    await world.clock.passTurn();
    expect(world.clock.turns).toBe(1);
    const second = watched(world.send(small));
    // Neither a turn nor any time: its row is being written.
    await settle();
    expect(world.clock.turns).toBe(1);
    expect(world.broadcasts.inFlight).toBe(2);
    await world.clock.pass(100);
    expect(second.value?.text).toBe(small.accepted());
    expect(first.value?.text).toBe(large.accepted());
    expect(world.received.map(({ body }) => body)).toContain(small.body());
  });

  test('alone, a small one takes no turn at all', async () => {
    const world = worldOf([small]);
    const reply = world.send(small);
    expect(world.broadcasts.inFlight).toBe(1);
    await world.clock.pass(100);
    expect((await reply).text).toBe(small.accepted());
    expect(world.clock.turns).toBe(0);
  });

  test('twice at once is one attempt, and both get its answer', async () => {
    const world = worldOf([large]);
    const replies = [world.send(large), world.send(large, { id: '2' })];
    await world.clock.pass(100);
    expect((await Promise.all(replies)).map(({ text }) => text)).toEqual([
      large.accepted(),
      large.accepted('2'),
    ]);
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toHaveLength(1);
    expect(world.log.marks).toMatchObject([{ row: 1, kind: 'joined' }]);
  });

  test('again at any turn of the first one’s reading, or when it is over: it is sent once', async () => {
    const one = largeEvm(0, 50_000);
    let turns = 0;
    for (let after = 0; turns === 0; after += 1) {
      const world = worldOf([one]);
      const replies = [world.send(one)];
      for (let turn = 0; turn < after; turn += 1) if (!(await world.clock.passTurn())) turns = after;
      replies.push(world.send(one, { id: '2' }));
      await world.clock.pass(100);
      const texts = (await Promise.all(replies)).map(({ text }) => text);
      expect(texts).toEqual([one.accepted(), one.accepted('2')]);
      expect(world.sentTo).toEqual(['a']);
    }
    expect(turns).toBeGreaterThan(5);
  });

  test('counts as in flight from its first byte on, so that a drain waits for it', async () => {
    const world = worldOf([large]);
    const reply = world.send(large);
    expect(world.broadcasts.inFlight).toBe(1);
    expect(world.chain.pool.requests).toBe(1);
    for (let turn = 0; turn < 10; turn += 1) await world.clock.passTurn();
    expect(world.sentTo).toEqual([]);
    expect(world.broadcasts.inFlight).toBe(1);
    expect(world.chain.pool.requests).toBe(1);
    await world.clock.pass(100);
    await reply;
    expect(world.broadcasts.inFlight).toBe(0);
    expect(world.chain.pool.requests).toBe(0);
  });

  test('no byte leaves before its row, and none at all when the process dies while it is read', async () => {
    const world = worldOf([large]);
    void world.send(large);
    for (let turn = 0; turn < 10; turn += 1) await world.clock.passTurn();
    await world.restart();
    await world.clock.pass(10_000);
    expect(world.log.rows).toEqual([]);
    expect(world.received).toEqual([]);
    world.show(1_000);
    const reply = world.send(large);
    await world.clock.pass(100);
    expect((await reply).text).toBe(large.accepted());
    expect(world.withoutRow).toEqual([]);
  });

  test('signed for another chain is refused as any other', async () => {
    const raw = evmRaw(0, 56, 'ab'.repeat(200_000));
    const foreign = { ...large, body: () => body.replace('RAW', raw) };
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["RAW"]}';
    const world = worldOf([]);
    const reply = world.send(foreign);
    await world.clock.pass(100);
    expect(faultOf((await reply).text).reason).toBe('wrong_chain');
    expect(world.log.rows).toEqual([]);
  });
});

describe('when there is no time left', () => {
  test('it is read no further, answered by its deadline, and never sent', async () => {
    const world = worldOf([large]);
    const reply = watched(world.send(large));
    await world.clock.passTurn();
    const { turns } = world.clock;
    world.clock.holdUp(9_000);
    await world.clock.pass(0);
    expect(world.clock.turns).toBe(turns + 1);
    const fault = faultOf(reply.value?.text ?? '');
    expect(fault).toMatchObject({ reason: 'not_sent', attempts: [] });
    expect(fault.message).toContain('it could not be read in time. Nothing left the gateway');
    harmlessOn('evm', reply.value?.text ?? '');
    expect(world.broadcasts.inFlight).toBe(0);
    expect(world.chain.pool.requests).toBe(0);
    await world.clock.pass(60_000);
    expect(world.received).toEqual([]);
    expect(world.log.rows).toEqual([]);
  });

  test('read just in time, but too late for an attempt: no row, no byte', async () => {
    const world = worldOf([large]);
    const reply = watched(world.send(large));
    await world.clock.passTurn();
    world.clock.holdUp(6_500);
    await world.clock.pass(2_500);
    const fault = faultOf(reply.value?.text ?? '');
    expect(fault).toMatchObject({ reason: 'not_sent', transaction: { id: large.txId } });
    expect(fault.message).toContain('too little time was left');
    expect(world.received).toEqual([]);
    expect(world.log.rows).toEqual([]);
  });
});
