import { describe, expect, it } from 'vitest';
import { Dispatch } from '../../src/gateway/dispatch.ts';
import { type Act, FakeWorld, type FakeWorldOptions } from '../kit/fake-world.ts';
import { ReadingClient } from '../kit/reading-client.ts';

/** An endpoint that goes silent, and the reads that wait for it. Attempts have 5 s, and five in vain open its circuit. */

const answered = (body: string): Act => {
  const asked = JSON.parse(body) as { id: number } | { id: number }[];
  const reply = ({ id }: { id: number }) => ({ jsonrpc: '2.0', id, result: '0x3e8' });
  return { does: 'answer', body: JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)) };
};

/** The first endpoint hangs unless `a` says otherwise, the second answers. */
function worldWhere(a: (id: number) => Act = () => ({ does: 'hang' }), more: FakeWorldOptions = {}) {
  const world = new FakeWorld({
    endpoints: ['a', 'b'],
    chain: { strategy: 'priority' },
    scripts: {
      a: ({ body }) => a((JSON.parse(body) as { id: number }).id),
      b: ({ body }) => answered(body),
    },
    ...more,
  });
  const dispatch = new Dispatch(world.world, () => {
    throw new Error('nothing is broadcast here');
  });
  const ask = (body: unknown): ReadingClient => {
    const sink = new ReadingClient(world.clock);
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const session = { requestId: 'r', startedAt: world.clock.now(), sink };
    dispatch.handle(session, world.chain, { verb: 'POST', target: '', body: bytes, rebroadcast: false });
    return sink;
  };
  return { world, ask };
}

const read = (id: number, method = 'eth_blockNumber') => ({ jsonrpc: '2.0', id, method, params: [] });

/** Ten reads, a tenth of a second between two of them: half of them open the circuit, 5.4 s after the first. */
async function tenReads({ world, ask }: ReturnType<typeof worldWhere>): Promise<readonly ReadingClient[]> {
  const clients: ReadingClient[] = [];
  for (let id = 1; id <= 10; id += 1) {
    clients.push(ask(read(id)));
    await world.clock.pass(100);
  }
  return clients;
}

const idOf = ({ body }: { body: string }): number => (JSON.parse(body) as { id: number }).id;

const sentTo = (world: FakeWorld, id: number) =>
  world.received.filter(each => idOf(each) === id).map(({ endpoint }) => endpoint);

describe('when a circuit opens because its endpoint is silent', () => {
  it('the reads that wait there are answered elsewhere at once, each sent there once', async () => {
    const here = worldWhere();
    const clients = await tenReads(here);
    await here.world.clock.pass(4_000);
    expect(clients.map(({ ms }) => ms)).toEqual(Array.from({ length: 10 }, () => undefined));
    await here.world.clock.pass(700);
    const waited = clients.map(({ ms }) => ms ?? Number.POSITIVE_INFINITY);
    expect(waited.slice(0, 5).every(ms => ms >= 5_000 && ms < 5_100)).toBe(true);
    // Those that came later have waited for less, and for no time of their own.
    const left = waited.slice(5).map((ms, n) => 500 + n * 100 + ms);
    expect(left.every(at => at >= 5_400 && at < 5_600)).toBe(true);
    for (let id = 1; id <= 10; id += 1) expect([id, ...sentTo(here.world, id)]).toEqual([id, 'a', 'b']);
    for (const { answer } of clients) expect(answer).toMatchObject({ result: '0x3e8' });
  });

  it('some go in a turn, the oldest first', async () => {
    const { world, ask } = worldWhere();
    for (let id = 1; id <= 5; id += 1) ask(read(id));
    await world.clock.pass(1_000);
    const clients = Array.from({ length: 200 }, (_, n) => ask(read(101 + n)));
    await world.clock.pass(4_000);
    const before = world.received.length;
    await world.clock.pass(1);
    expect(world.received.length - before).toBeLessThanOrEqual(8);
    await world.clock.pass(400);
    expect(clients.every(({ ms }) => ms !== undefined)).toBe(true);
    const elsewhere = world.received.filter(({ endpoint }) => endpoint === 'b').map(idOf);
    expect(elsewhere.slice(5, 13)).toEqual([101, 102, 103, 104, 105, 106, 107, 108]);
    expect(new Set(elsewhere).size).toBe(205);
    expect(elsewhere).toHaveLength(205);
  });

  it('who went by himself meanwhile is left alone where he is', async () => {
    const { world, ask } = worldWhere(undefined, { chain: { strategy: 'priority', retryShare: 1 } });
    for (let id = 1; id <= 5; id += 1) ask(read(id));
    await world.clock.pass(1);
    // Their own time is up while those before them are sent away, some in a turn.
    const clients = Array.from({ length: 40 }, (_, n) => ask(read(101 + n)));
    await world.clock.pass(5_500);
    expect(clients.every(({ ms }) => ms !== undefined)).toBe(true);
    for (let id = 101; id <= 140; id += 1) expect([id, ...sentTo(world, id)]).toEqual([id, 'a', 'b']);
  });

  it('the items of a batch go as well', async () => {
    const here = worldWhere();
    const clients = await tenReads(here);
    const batch = here.ask([read(21), read(22)]);
    await here.world.clock.pass(5_000);
    expect(clients.every(({ ms }) => ms !== undefined)).toBe(true);
    expect(batch.ms).toBeLessThan(4_900);
    expect(batch.answer).toMatchObject([{ id: 21 }, { id: 22 }]);
  });

  it('the client of one that goes is told of both attempts', async () => {
    const here = worldWhere();
    await tenReads(here);
    await here.world.clock.pass(5_000);
    const [last] = here.world.requests.slice(-1);
    expect(last?.attempts).toMatchObject([
      { endpoint: 'a', verdict: 'transport' },
      { endpoint: 'b', verdict: 'ok' },
    ]);
  });

  it.each<[string, (here: ReturnType<typeof worldWhere>) => ReadingClient, number]>([
    ['heavy work', ({ ask }) => ask(read(11, 'debug_traceBlock')), 30_000],
    ['a method that stands in no table', ({ ask }) => ask(read(11, 'zebra_crossing')), 5_000],
  ])('%s stays', async (_, late, most) => {
    const here = worldWhere();
    await tenReads(here);
    const client = late(here);
    await here.world.clock.pass(most - 100);
    expect([client.ms, sentTo(here.world, 11)]).toEqual([undefined, ['a']]);
    await here.world.clock.pass(1_000);
    expect(client.ms).toBeGreaterThanOrEqual(most);
  });

  it('who has the beginning of an answer stays', async () => {
    const here = worldWhere(id => (id === 10 ? { does: 'hang', head: true } : { does: 'hang' }));
    const clients = await tenReads(here);
    await here.world.clock.pass(5_500);
    expect(clients.map(({ ms }) => (ms ?? 0) >= 5_000)).toEqual([
      ...Array.from({ length: 5 }, () => true),
      ...Array.from({ length: 4 }, () => false),
      true,
    ]);
  });

  it('who has nowhere better to go stays', async () => {
    const here = worldWhere(undefined, { endpoints: ['a'], chain: { retryShare: 1 } });
    const clients = await tenReads(here);
    await here.world.clock.pass(4_800);
    // The last one's own time is up a tenth of a second later.
    expect([clients[9]?.ms, sentTo(here.world, 10)]).toEqual([undefined, ['a']]);
  });

  it('who hung up is sent nowhere', async () => {
    const here = worldWhere();
    const clients = await tenReads(here);
    clients[9]?.onGone?.gone();
    await here.world.clock.pass(5_000);
    expect(sentTo(here.world, 10)).toEqual(['a']);
  });
});

describe('when a circuit opens because its endpoint answers with failures', () => {
  it('the reads that wait there wait on: it is not silent', async () => {
    const here = worldWhere(id =>
      id > 5 ? { does: 'hang' } : { does: 'answer', status: 500, body: 'broken', afterMs: 1_000 },
    );
    const clients = await tenReads(here);
    expect(here.world.chain.pool.records[0]?.read.circuit.state).toBe('closed');
    await here.world.clock.pass(3_000);
    expect(here.world.chain.pool.records[0]?.read.circuit.state).toBe('open');
    expect(clients.slice(5).map(({ ms }) => ms)).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});
