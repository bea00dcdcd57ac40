import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';
import { type Act, FakeWorld, type MemoryLog, settle } from '../kit/fake-world.ts';
import { type Signed, signed } from '../kit/signed.ts';

/**
 * Any life of a gateway: duplicates, faults of every kind, a disk that stalls and fails, crashes at any moment. No repeat
 * window ends, so whatever happens the bytes of a transaction may reach a second upstream only after the first one turned
 * them away, or once for each time that somebody asked for a new broadcast.
 */

type Step =
  | { readonly does: 'send'; readonly tx: number; readonly anew: boolean }
  | { readonly does: 'pass'; readonly ms: number }
  | { readonly does: 'crash' }
  | { readonly does: 'disk'; readonly commit: MemoryLog['commit'] }
  | { readonly does: 'release' }
  | { readonly does: 'writable'; readonly is: boolean };

const turnedAway: readonly Act[] = [429, 403].map(status => ({
  does: 'answer',
  status,
  body: 'go away',
  afterMs: 30,
}));
const takesIt = { does: 'answer', body: 'accepted' } as const;

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Act>(takesIt) },
  { weight: 2, arbitrary: fc.constantFrom(...turnedAway) },
  fc.constantFrom<Act>(
    { does: 'fault', kind: 'dns', reached: 'not_connected' },
    { does: 'fault', kind: 'connect_refused', reached: 'not_connected' },
    { does: 'fault', kind: 'tls', reached: 'not_connected', afterMs: 400 },
    { does: 'fault', kind: 'connect_timeout', reached: 'not_connected', afterMs: 2_000 },
    { does: 'fault', kind: 'reset', reached: 'nothing_handed_over' },
  ),
  fc.constantFrom<Act>(
    { does: 'fault', kind: 'reset', reached: 'handed_over' },
    { does: 'fault', kind: 'reset', reached: 'handed_over', afterMs: 3_000 },
    { does: 'fault', kind: 'protocol', reached: 'answered', afterMs: 100 },
    { does: 'hang' },
    { does: 'hang', head: true },
    { ...takesIt, connectMs: 1_500, afterMs: 1_000 },
    { ...takesIt, connectMs: 9_000 },
    { ...takesIt, afterMs: 9_000 },
    { does: 'answer', status: 401, body: 'no' },
    { does: 'answer', status: 500, body: '<html></html>' },
    { does: 'answer', body: '' },
    { does: 'answer', body: '{"half' },
  ),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      tx: fc.integer({ min: 0, max: 1 }),
      anew: fc.constantFrom(false, false, false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom(500, 1_000, 2_500)),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'crash' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('disk' as const),
      commit: fc.constantFrom<MemoryLog['commit']>(1, 1, 1, 20, 990, 1_100, 'fail', 'stall'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ does: 'release' }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('writable' as const), is: fc.boolean() }) },
);

function worldOf(family: FamilyName, transactions: readonly Signed[], acts: readonly Act[]): FakeWorld {
  let next = 0;
  const script = ({ body }: { readonly body: string }): Act => {
    const sent = transactions.find(one => one.body() === body);
    // A question of the follow-up: it is answered with something that tells nothing.
    if (sent === undefined) return { does: 'answer', body: '{"jsonrpc":"2.0","id":1,"result":null}' };
    const drawn = acts[next++ % acts.length] ?? takesIt;
    return drawn.does === 'answer' && drawn.body === 'accepted' ? { ...drawn, body: sent.accepted() } : drawn;
  };
  // The widest window of all families, so that none ends within a life.
  const chain = { repeatWindowMs: 600_000 };
  return new FakeWorld({ family, chain, scripts: { a: script, b: script, c: script } });
}

async function live(
  world: FakeWorld,
  transactions: readonly Signed[],
  steps: readonly Step[],
): Promise<void> {
  for (const now of steps) {
    switch (now.does) {
      case 'send': {
        const one = transactions[now.tx];
        if (one === undefined) break;
        world.show(1_000);
        void world.send(one, { rebroadcast: now.anew }).then(reply => expect(reply.status).toBe(200));
        break;
      }
      case 'pass':
        await world.clock.pass(now.ms);
        break;
      case 'crash':
        await world.restart();
        break;
      case 'disk':
        world.log.commit = now.commit;
        break;
      case 'release':
        world.log.release();
        await settle();
        break;
      case 'writable':
        world.log.writable = now.is;
        break;
    }
  }
  world.log.release();
  await world.clock.pass(12_000);
}

const wasTurnedAway = (one: Act) => one.does === 'answer' && (one.status === 429 || one.status === 403);
const nothingLeft = (reached: string | undefined) =>
  reached === 'not_connected' || reached === 'nothing_handed_over';

test.each<FamilyName>(['evm', 'solana', 'xrpl', 'tron'])(
  'on %s a transaction reaches a second upstream only after the first turned it away, and never without a row',
  async family => {
    const transactions = [signed[family](0), signed[family](1)];
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.array(act, { minLength: 1, maxLength: 6 }),
        async (steps, acts) => {
          const world = worldOf(family, transactions, acts);
          await live(world, transactions, steps);

          expect(world.withoutRow).toEqual([]);
          for (const [tx, one] of transactions.entries()) {
            const anew = steps.filter(now => now.does === 'send' && now.tx === tx && now.anew).length;
            const got = world.received.filter(({ alone, body }) => alone && body === one.body());
            const uncalledFor = got.slice(0, -1).filter(({ act: did }) => !wasTurnedAway(did));
            expect(uncalledFor.length).toBeLessThanOrEqual(anew);
            // Two endpoints a broadcast; only a new life may find that both turned it away and try once more.
            if (!steps.some(({ does }) => does === 'crash'))
              expect(got.length).toBeLessThanOrEqual(2 * (1 + anew));
            const rows = world.log.rows.filter(({ txId }) => txId === one.txId);
            // Every row has an end, and none says that nothing left of one whose bytes arrived.
            expect(rows.filter(({ outcome }) => outcome === 'pending')).toEqual([]);
            for (const endpoint of ['a', 'b', 'c']) {
              const may = rows.filter(row => row.endpoint === endpoint && !nothingLeft(row.reached));
              expect(may.length).toBeGreaterThanOrEqual(
                got.filter(byte => byte.endpoint === endpoint).length,
              );
            }
            // What was lost is followed up, and what was accepted was taken.
            const lost = rows.at(-1)?.outcome === 'unknown';
            const followed = (await world.log.followed()).some(({ txId }) => txId === one.txId);
            if (lost) expect(followed).toBe(true);
            const accepted = rows.filter(({ outcome }) => outcome === 'accepted').length;
            expect(
              got.filter(({ act: did }) => did.does === 'answer' && did.body === one.accepted()).length,
            ).toBeGreaterThanOrEqual(accepted);
          }
          expect(world.chain.pool.records.every(({ inFlight }) => inFlight >= 0)).toBe(true);
          expect(world.broadcasts.inFlight).toBe(0);
        },
      ),
      { numRuns: 120 },
    );
  },
  30_000,
);

test('the check sees a double send: a gateway that forgets its record makes one', async () => {
  const transactions = [signed.evm(0)];
  const world = worldOf('evm', transactions, [{ does: 'hang' }]);
  void world.send(signed.evm(0));
  await world.clock.pass(500);
  await world.restart();
  world.log.rows.length = 0;
  void world.send(signed.evm(0));
  await world.clock.pass(500);
  const got = world.received.filter(({ alone }) => alone);
  expect(got).toHaveLength(2);
  expect(got.slice(0, -1).filter(({ act: did }) => !wasTurnedAway(did))).toHaveLength(1);
});
