import { describe, expect, test } from 'vitest';
import { type Act, FakeWorld, type FakeWorldOptions, type Script } from '../kit/fake-world.ts';
import { signed } from '../kit/signed.ts';

const tx = signed.evm(0);
const answers = (result: unknown): Act => ({
  does: 'answer',
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, result }),
});
const inBlock = (block: string) => ({ hash: tx.txId, blockNumber: '0x64', blockHash: block });
const inPool = { hash: tx.txId, blockNumber: null, blockHash: null };

/** What a node says of the transaction, and of the sender's final nonce. The broadcast itself is lost. */
interface Node {
  seen?: unknown;
  finalNonce?: string;
  act?: Act;
}

function scriptOf(node: Node): Script {
  return ({ body }) => {
    if (body.includes('eth_sendRawTransaction'))
      return { does: 'fault', kind: 'reset', reached: 'handed_over' };
    if (node.act !== undefined) return node.act;
    if (body.includes('eth_getTransactionCount')) return answers(node.finalNonce ?? '0x0');
    return answers(node.seen ?? null);
  };
}

function worldOf(nodes: Record<string, Node>, options: FakeWorldOptions = {}): FakeWorld {
  const scripts = Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, scriptOf(node)]));
  return new FakeWorld({ endpoints: Object.keys(nodes), scripts, ...options });
}

/** Time goes on, and the endpoints show their heads as they do. */
async function pass(world: FakeWorld, ms: number, head = 1_000): Promise<void> {
  for (let left = ms; left > 0; left -= 5_000) {
    world.show(head);
    await world.clock.pass(Math.min(left, 5_000));
  }
}

async function lose(world: FakeWorld): Promise<void> {
  const reply = world.send(tx);
  await world.clock.pass(100);
  await reply;
}

/** The endpoints that were asked for the transaction, in order. */
const askedOf = (world: FakeWorld) =>
  world.received
    .filter(({ body }) => body.includes('eth_getTransactionByHash'))
    .map(({ endpoint }) => endpoint);

describe('looking up', () => {
  test('begins after two seconds, through the others first and last through the one that got it', async () => {
    const world = worldOf({ a: {}, b: {}, c: {} });
    await lose(world);
    await pass(world, 1_800);
    expect(askedOf(world)).toEqual([]);
    await pass(world, 1_000);
    expect(askedOf(world)).toEqual(['b', 'c', 'a']);
    expect(world.sentTo).toEqual(['a']);
  });

  test('goes on ever more rarely, for as long as it takes', async () => {
    const world = worldOf({ a: {}, b: {} });
    await lose(world);
    await pass(world, 8 * 3_600_000);
    const times = world.log.looks.map(({ at }) => at);
    const pauses = times.slice(1).map((at, n) => Math.round((at - (times[n] ?? 0)) / 1_000));
    expect(pauses.slice(0, 7)).toEqual(
      [5, 10, 30, 60, 300, 900, 3_600].map(seconds => expect.closeTo(seconds, -1)),
    );
    expect(pauses.slice(7).every(seconds => seconds >= 3_600 && seconds < 3_610)).toBe(true);
    expect(times.length).toBeGreaterThan(12);
    expect(world.follower.size).toBe(1);
    expect(world.sentTo).toEqual(['a']);
  });

  test('an outage makes it neither rarer nor a look: nobody could be asked', async () => {
    const world = worldOf({
      a: { act: { does: 'fault', kind: 'dns', reached: 'not_connected' } },
      b: { act: { does: 'hang' } },
    });
    await lose(world);
    await pass(world, 3_600_000);
    expect(world.log.looks).toEqual([]);
    const nodes: Record<string, Node> = { a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb1') } };
    for (const [name, node] of Object.entries(nodes)) world.scripts[name] = scriptOf(node);
    // Their circuits have to close again first.
    await pass(world, 600_000);
    expect(world.log.settled).toMatchObject([{ how: 'final' }]);
  });

  test('what was found is written with its endpoint, and told once', async () => {
    const node: Node = {};
    const world = worldOf({ a: {}, b: node });
    await lose(world);
    await pass(world, 5_000);
    node.seen = inPool;
    world.scripts.b = scriptOf(node);
    await pass(world, 60_000);
    expect(world.log.looks.map(({ look }) => [look.found, look.endpoint])).toEqual([
      ['not_seen', 'b'],
      ['pool', 'b'],
      ['pool', 'b'],
      ['pool', 'b'],
    ]);
    expect(world.events.filter(({ kind }) => kind === 'broadcast_seen')).toMatchObject([
      { endpoint: 'b', level: 'info', text: expect.stringContaining(tx.txId) },
    ]);
  });

  test('asks nobody who may not be asked', async () => {
    const world = worldOf({ a: {}, b: {}, c: {} }, { endpoints: ['a', { name: 'b', disabled: true }, 'c'] });
    await lose(world);
    await pass(world, 3_000);
    expect(askedOf(world)).toEqual(['c', 'a']);
  });

  test('a few rounds at a time: the lost of a great outage wait for each other', async () => {
    const world = new FakeWorld({
      endpoints: ['a', 'b'],
      scripts: {
        a: scriptOf({}),
        b: ({ body }) =>
          body.includes('eth_sendRaw') ? { does: 'hang' } : ({ ...answers(null), afterMs: 1_000 } as Act),
      },
    });
    const replies = Array.from({ length: 20 }, (_, n) => world.send(signed.evm(n)));
    await world.clock.pass(100);
    await Promise.all(replies);
    expect(world.follower.size).toBe(20);
    await world.clock.pass(2_900);
    expect(world.chain.pool.records[1]?.inFlight).toBe(4);
    await pass(world, 12_000);
    expect(new Set(world.log.looks.map(({ row }) => row)).size).toBe(20);
  });

  test('stops when the gateway stops, and nothing is asked or written after', async () => {
    const world = worldOf({ a: { act: { does: 'hang' } }, b: { act: { does: 'hang' } } });
    await lose(world);
    await pass(world, 3_000);
    world.follower.stop();
    await pass(world, 3_600_000);
    expect(askedOf(world)).toEqual(['b']);
    expect(world.log.looks).toEqual([]);
    expect(world.chain.pool.records.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });
});

describe('settled', () => {
  test('in a block that two endpoints agree on', async () => {
    const world = worldOf({ a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xB1') }, c: {} });
    await lose(world);
    await pass(world, 5_000);
    expect(world.log.settled).toEqual([{ row: 1, how: 'final', note: 'in block 100, as b and a say' }]);
    expect(world.follower.size).toBe(0);
    expect(world.events).toContainEqual(
      expect.objectContaining({ kind: 'broadcast_settled', level: 'info' }),
    );
    const asked = askedOf(world).length;
    await pass(world, 600_000);
    expect(askedOf(world)).toHaveLength(asked);
  });

  test('and then nobody else is asked', async () => {
    const world = worldOf({ a: {}, b: { seen: inBlock('0xb1') }, c: { seen: inBlock('0xb1') } });
    await lose(world);
    await pass(world, 5_000);
    expect(world.log.settled).toHaveLength(1);
    expect(askedOf(world)).toEqual(['b', 'c']);
  });

  test('not by one endpoint alone', async () => {
    const world = worldOf({ a: {}, b: { seen: inBlock('0xb1') } });
    await lose(world);
    await pass(world, 600_000);
    expect(world.log.settled).toEqual([]);
    expect(world.log.looks.at(-1)?.look).toEqual({ found: 'block', height: 100, endpoint: 'b' });
  });

  test('not by two that have it in different blocks', async () => {
    const world = worldOf({ a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb2') } });
    await lose(world);
    await pass(world, 600_000);
    expect(world.log.settled).toEqual([]);
  });

  test('as impossible, when two endpoints say that another transaction has the nonce for good', async () => {
    const gone: Node = { finalNonce: '0x1' };
    const world = worldOf({ a: gone, b: gone });
    await lose(world);
    await pass(world, 5_000);
    expect(world.log.settled).toMatchObject([
      { how: 'impossible', note: expect.stringContaining('nonce 0') },
    ]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ kind: 'broadcast_settled', level: 'warn' }),
    );
  });

  test('not as impossible while a third one has it', async () => {
    const gone: Node = { finalNonce: '0x1' };
    const world = worldOf({ a: gone, b: gone, c: { seen: inPool } });
    await lose(world);
    await pass(world, 600_000);
    expect(world.log.settled).toEqual([]);
  });

  test('not as impossible by endpoints that may have dropped it', async () => {
    const gone: Node = { finalNonce: '0x1' };
    const recent = (name: string) => ({ name, history: 'recent' as const });
    const world = worldOf({ a: gone, b: gone }, { endpoints: [recent('a'), recent('b')] });
    await lose(world);
    await pass(world, 5_000);
    expect(world.log.settled).toEqual([]);
    expect(world.log.looks.at(-1)?.look.found).toBe('not_seen');
  });

  test('an accepted one that can never be in a block is an alarm', async () => {
    const script: Script = request =>
      request.body.includes('eth_sendRaw')
        ? { does: 'answer', body: tx.accepted() }
        : scriptOf({ finalNonce: '0x1' })(request);
    const world = new FakeWorld({
      endpoints: ['a', 'b'],
      chain: { confirmBroadcasts: true },
      scripts: { a: script, b: script },
    });
    await lose(world);
    await pass(world, 5_000);
    expect(world.events).toContainEqual(
      expect.objectContaining({ kind: 'broadcast_settled', level: 'alarm' }),
    );
  });

  test('the disk takes no rows: it is settled when it does again', async () => {
    const world = worldOf({ a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb1') } });
    world.log.settling = 'fail';
    await lose(world);
    await pass(world, 5_000);
    expect(world.follower.size).toBe(1);
    world.log.settling = 'ok';
    await pass(world, 60_000);
    expect(world.log.settled).toHaveLength(1);
    expect(world.follower.size).toBe(0);
  });

  test('as impossible after a rejection only by endpoints that keep everything: it may be in an old block', async () => {
    const script: Script = request =>
      request.body.includes('eth_sendRaw')
        ? {
            does: 'answer',
            body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}',
          }
        : scriptOf({ finalNonce: '0x1' })(request);
    const settledWith = async (history: 'full' | 'auto') => {
      const endpoints = ['a', 'b'].map(name => ({ name, history }));
      const world = new FakeWorld({ endpoints, scripts: { a: script, b: script } });
      await lose(world);
      await pass(world, 60_000);
      return world.log.settled.length;
    };
    expect(await settledWith('full')).toBe(1);
    expect(await settledWith('auto')).toBe(0);
  });

  test('as impossible by endpoints of which nothing is known, as long as it is a matter of a day', async () => {
    const gone: Node = { finalNonce: '0x1' };
    const endpoints = ['a', 'b'].map(name => ({ name, history: 'auto' as const }));
    const soon = worldOf({ a: gone, b: gone }, { endpoints });
    await lose(soon);
    await pass(soon, 5_000);
    expect(soon.log.settled).toMatchObject([{ how: 'impossible' }]);

    const late = worldOf({ a: {}, b: {} }, { endpoints });
    await lose(late);
    await pass(late, 25 * 3_600_000);
    late.scripts.a = scriptOf(gone);
    late.scripts.b = scriptOf(gone);
    await pass(late, 2 * 3_600_000);
    expect(late.log.settled).toEqual([]);
  });

  test('as impossible on Solana only at a finalized slot past where the chain stood when it was sent', async () => {
    const one = signed.solana(0);
    let slot = 1_064;
    const script: Script = ({ body }) => {
      const value = body.includes('isBlockhashValid') ? false : [null];
      return body.includes('sendTransaction') ? { does: 'hang' } : answers({ context: { slot }, value });
    };
    const world = new FakeWorld({
      family: 'solana',
      endpoints: ['a', 'b'],
      scripts: { a: script, b: script },
    });
    const reply = world.send(one);
    await pass(world, 20_000);
    await reply;
    expect(world.log.settled).toEqual([]);
    slot = 1_065;
    await pass(world, 60_000);
    expect(world.log.settled).toMatchObject([{ how: 'impossible' }]);
  });

  test('by an operator in the middle of a round: nothing more is written', async () => {
    const world = worldOf({ a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb1') } });
    await lose(world);
    while (askedOf(world).length < 2) await world.clock.pass(1);
    world.follower.forget('ethereum', tx.txId);
    await pass(world, 60_000);
    expect(world.log.looks).toEqual([]);
    expect(world.log.settled).toEqual([]);
  });

  test('by an operator: it is looked up no more', async () => {
    const world = worldOf({ a: {}, b: {} });
    await lose(world);
    world.follower.forget('ethereum', tx.txId);
    await pass(world, 600_000);
    expect(askedOf(world)).toEqual([]);
  });
});

describe('over restarts', () => {
  test('it is taken up at once, with the endpoint that got it still last', async () => {
    const world = worldOf({ a: {}, b: {}, c: {} });
    await lose(world);
    await pass(world, 20_000);
    const before = askedOf(world).length;
    await world.restart();
    expect(world.follower.size).toBe(1);
    await world.clock.pass(100);
    expect(askedOf(world).slice(before)).toEqual(['b', 'c', 'a']);
  });

  test('what settling needs comes out of the record', async () => {
    const world = worldOf({ a: {}, b: {} });
    await lose(world);
    await world.restart();
    const gone: Node = { finalNonce: '0x1' };
    world.scripts.a = scriptOf(gone);
    world.scripts.b = scriptOf(gone);
    await pass(world, 60_000);
    expect(world.log.settled).toMatchObject([{ how: 'impossible' }]);
  });

  test('a broadcast that a crash cut off is followed like any other', async () => {
    const world = worldOf({ a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb1') } });
    void world.send(tx);
    await world.clock.pass(5);
    await world.restart();
    await pass(world, 5_000);
    expect(world.log.settled).toMatchObject([{ row: 1, how: 'final' }]);
    expect(world.sentTo.length).toBeLessThanOrEqual(1);
  });

  test('a seen one is not told of again', async () => {
    const world = worldOf({ a: { seen: inPool }, b: { seen: inPool } });
    await lose(world);
    await pass(world, 5_000);
    await world.restart();
    await pass(world, 5_000);
    expect(world.events.filter(({ kind }) => kind === 'broadcast_seen')).toHaveLength(1);
  });
});

test('a newer broadcast of the same is followed by its own row', async () => {
  const world = worldOf({ a: {}, b: {} });
  await lose(world);
  await pass(world, 5_000);
  const again = world.send(tx, { rebroadcast: true });
  await world.clock.pass(100);
  await again;
  expect(world.follower.size).toBe(1);
  await pass(world, 5_000);
  expect(world.log.looks.at(-1)?.row).toBe(2);
});

test('a fault of the gateway in one look is an alarm, and tried again much later', async () => {
  const world = worldOf({ a: { act: { does: 'throw' } }, b: { act: { does: 'throw' } } });
  await lose(world);
  await pass(world, 3_000_000);
  expect(world.events.filter(({ kind }) => kind === 'fault')).toMatchObject([
    { level: 'alarm', text: expect.stringContaining(tx.txId) },
  ]);
  const nodes: Record<string, Node> = { a: { seen: inBlock('0xb1') }, b: { seen: inBlock('0xb1') } };
  for (const [name, node] of Object.entries(nodes)) world.scripts[name] = scriptOf(node);
  await pass(world, 1_000_000);
  expect(world.log.settled).toHaveLength(1);
});

test('a transaction without a readable id is left to an operator', async () => {
  const world = worldOf({ a: {}, b: {} });
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["0xdead"]}';
  const reply = world.send({ target: '', txId: '', body: () => body, accepted: () => '' });
  await world.clock.pass(100);
  await reply;
  expect(world.follower.size).toBe(0);
  expect(await world.log.followed()).toHaveLength(1);
  expect(world.events).toContainEqual(
    expect.objectContaining({
      kind: 'broadcast_unknown',
      text: expect.stringContaining('without a readable id'),
    }),
  );
});
