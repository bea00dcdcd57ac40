import { beforeEach, describe, expect, it } from 'vitest';
import { noteHead } from '../../src/core/head.ts';
import { fold } from '../../src/core/held.ts';
import { Dispatch } from '../../src/gateway/dispatch.ts';
import { FakeWorld, type Script } from '../kit/fake-world.ts';
import { ReadingClient } from '../kit/reading-client.ts';

/** Strict freshness as one client sees it, over single requests, batches and streamed answers. */

const hex = (height: number): string => `0x${height.toString(16)}`;

/** What each endpoint says its height is, whatever its probes have shown. */
let says: Record<string, number>;
let world: FakeWorld;

const script =
  (name: string): Script =>
  ({ body }) => {
    const read: unknown = JSON.parse(body);
    const replies = (Array.isArray(read) ? read : [read]).map(({ id, method }) => {
      const result = method === 'eth_getCode' ? `0x${'5b'.repeat(50_000)}` : hex(says[name] ?? 0);
      return JSON.stringify({ jsonrpc: '2.0', id, result });
    });
    return { does: 'answer', body: Array.isArray(read) ? `[${replies.join()}]` : (replies[0] ?? '') };
  };

beforeEach(() => {
  says = { a: 1_000, b: 1_000, c: 1_000 };
  world = new FakeWorld({
    chain: { strategy: 'priority', freshness: 'strict' },
    scripts: { a: script('a'), b: script('b'), c: script('c') },
  });
});

const call = (method: string, id: number) => ({ jsonrpc: '2.0', id, method, params: [] });

/** One request of the client `app`, and all the time it wants. */
async function ask(body: unknown): Promise<unknown> {
  const { clock } = world;
  const sink = new ReadingClient(clock);
  const broadcast = (): never => {
    throw new Error('nothing is broadcast here');
  };
  const request = {
    verb: 'POST',
    target: '',
    body: new TextEncoder().encode(JSON.stringify(body)),
    rebroadcast: false,
  };
  const session = { requestId: 'r', startedAt: clock.now(), sink, client: 'app' };
  new Dispatch(world.world, broadcast).handle(session, world.chain, request);
  await clock.pass(8_000);
  return sink.answer;
}

/** The endpoint that comes first has moved on by one block, which the others have not seen yet. */
function oneAhead(): void {
  says.a = 1_001;
  const [a] = world.chain.pool.records;
  if (a === undefined) throw new Error('no endpoint');
  noteHead(world.chain.pool, a, 1_001, 0, world.clock.now());
}

/** It is taken out, and the others are where they were. */
function firstIsGone(): void {
  const [a] = world.chain.pool.records;
  if (a === undefined) throw new Error('no endpoint');
  a.disabled = true;
  fold(a);
  world.chain.pool.records.slice(1).forEach(record => {
    noteHead(world.chain.pool, record, 1_000, 0, world.clock.now());
  });
}

const notFresh = { error: { code: -32004, data: { reason: 'not_fresh' } } };

describe('a client that was shown a height is shown no lower one', () => {
  it('by a single request', async () => {
    oneAhead();
    expect(await ask(call('eth_blockNumber', 1))).toMatchObject({ result: hex(1_001) });
    firstIsGone();
    expect(await ask(call('eth_blockNumber', 2))).toMatchObject(notFresh);
  });

  it('by a batch', async () => {
    oneAhead();
    expect(await ask([call('eth_blockNumber', 1)])).toMatchObject([{ result: hex(1_001) }]);
    firstIsGone();
    expect(await ask([call('eth_blockNumber', 2), call('eth_gasPrice', 3)])).toMatchObject([
      { id: 2, ...notFresh },
      { id: 3, ...notFresh },
    ]);
  });

  it('by an answer so large that it is streamed', async () => {
    oneAhead();
    expect(await ask(call('eth_getCode', 1))).toMatchObject({ result: expect.stringMatching(/^0x5b5b/) });
    firstIsGone();
    expect(await ask(call('eth_blockNumber', 2))).toMatchObject(notFresh);
  });

  it('but is told all the same what is about no block', async () => {
    oneAhead();
    await ask(call('eth_blockNumber', 1));
    firstIsGone();
    expect(await ask(call('eth_chainId', 2))).toMatchObject({ id: 2, result: expect.any(String) });
    expect(await ask([call('net_version', 3)])).toMatchObject([{ id: 3, result: expect.any(String) }]);
  });
});

describe('an endpoint that answers from below what it has shown', () => {
  it('is passed over, and another one asked', async () => {
    says.a = 990;
    expect(await ask(call('eth_blockNumber', 1))).toMatchObject({ result: hex(1_000) });
  });

  it('is passed over for that item of a batch', async () => {
    says = { a: 990, b: 990, c: 1_000 };
    expect(await ask([call('eth_blockNumber', 1), call('eth_chainId', 2)])).toMatchObject([
      { id: 1, result: hex(1_000) },
      { id: 2, result: hex(990) },
    ]);
  });
});

describe('the mark', () => {
  const mark = (): number | undefined =>
    world.world.sessions.read(
      world.chain,
      undefined,
      true,
      { class: 'read', method: 'eth_call' },
      world.clock.now(),
    ).need.height;

  it('does not rise to what one endpoint alone claims, until a second one comes near it', () => {
    const [liar, second] = world.chain.pool.records;
    if (liar === undefined || second === undefined) throw new Error('two endpoints');
    const { pool } = world.chain;
    expect(mark()).toBe(1_000);
    noteHead(pool, liar, 9_000, 0, world.clock.now());
    expect(mark()).toBe(1_000);
    noteHead(pool, second, 8_999, 0, world.clock.now());
    expect(mark()).toBeGreaterThanOrEqual(8_999);
  });

  it('and the reads of everybody go on beside the one that claims it', async () => {
    const [liar] = world.chain.pool.records;
    if (liar === undefined) throw new Error('no endpoint');
    says.a = 9_000;
    noteHead(world.chain.pool, liar, 9_000, 0, world.clock.now());
    expect(await ask(call('eth_blockNumber', 1))).toMatchObject({ result: hex(1_000) });
  });
});
