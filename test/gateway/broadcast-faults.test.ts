import { describe, expect, test } from 'vitest';
import type { FamilyName } from '../../src/core/chain.ts';
import type { Reached } from '../../src/core/transport-fault.ts';
import type { TxOutcome } from '../../src/core/verdict.ts';
import { type Act, FakeWorld } from '../kit/fake-world.ts';
import { signed } from '../kit/signed.ts';
import { faultOf, harmlessOn } from './broadcast-replies.ts';

/** Each fault of the first endpoint: what the record says of it, and whether another endpoint may have the bytes. */

interface Fault {
  readonly named: string;
  readonly act: Act;
  readonly reached: Reached;
  readonly outcome: TxOutcome;
  readonly goesOn: boolean;
}

const page = '<html><body>Service unavailable</body></html>';
const before = (named: string, act: Act, reached: Reached): Fault => ({
  named,
  act,
  reached,
  outcome: 'refused',
  goesOn: true,
});
const lost = (named: string, act: Act, reached: Reached): Fault => ({
  named,
  act,
  reached,
  outcome: 'unknown',
  goesOn: false,
});

const faults: readonly Fault[] = [
  before('refused', { does: 'fault', kind: 'connect_refused', reached: 'not_connected' }, 'not_connected'),
  before('no such name', { does: 'fault', kind: 'dns', reached: 'not_connected' }, 'not_connected'),
  before('a broken TLS handshake', { does: 'fault', kind: 'tls', reached: 'not_connected' }, 'not_connected'),
  before(
    'a forbidden address',
    { does: 'fault', kind: 'address_refused', reached: 'not_connected' },
    'not_connected',
  ),
  before(
    'a connect timeout',
    { does: 'fault', kind: 'connect_timeout', reached: 'not_connected', afterMs: 2_000 },
    'not_connected',
  ),
  before(
    'an endpoint that was taken out of use',
    { does: 'fault', kind: 'aborted', reached: 'not_connected' },
    'not_connected',
  ),
  before(
    'a connection that broke before the first byte',
    { does: 'fault', kind: 'reset', reached: 'nothing_handed_over' },
    'nothing_handed_over',
  ),
  before('429', { does: 'answer', status: 429, body: 'Too Many Requests' }, 'answered'),
  before('403', { does: 'answer', status: 403, body: 'Forbidden' }, 'answered'),
  { ...before('401', { does: 'answer', status: 401, body: 'Unauthorized' }, 'answered'), goesOn: false },
  lost('closed before headers', { does: 'fault', kind: 'reset', reached: 'handed_over' }, 'handed_over'),
  lost(
    'a reset after the body',
    { does: 'fault', kind: 'reset', reached: 'handed_over', afterMs: 900 },
    'handed_over',
  ),
  lost('silence', { does: 'hang' }, 'handed_over'),
  lost('headers, then silence', { does: 'hang', head: true }, 'answered'),
  lost('an answer cut in half', { does: 'fault', kind: 'protocol', reached: 'answered' }, 'answered'),
  lost('an answer past the time', { does: 'answer', body: '{}', afterMs: 8_500 }, 'handed_over'),
  lost(
    '500',
    { does: 'answer', status: 500, body: page, headers: { 'content-type': 'text/html' } },
    'answered',
  ),
  lost('502', { does: 'answer', status: 502, body: '' }, 'answered'),
  lost('503', { does: 'answer', status: 503, body: page }, 'answered'),
  lost('504', { does: 'answer', status: 504, body: page }, 'answered'),
  lost('200 with a page', { does: 'answer', body: page }, 'answered'),
  lost('200 with nothing', { does: 'answer', body: '' }, 'answered'),
  lost('200 with half an answer', { does: 'answer', body: '{"jsonrpc":"2.0","id":1,"resu' }, 'answered'),
  lost(
    'more than is ever held',
    { does: 'answer', body: `{"result":"${'0'.repeat(2_000_000)}"}` },
    'answered',
  ),
  lost(
    'a redirect',
    { does: 'answer', status: 307, body: '', headers: { location: 'https://b.example/' } },
    'answered',
  ),
];

const families: readonly FamilyName[] = ['evm', 'solana', 'xrpl', 'tron'];

describe.each(families)('on %s', family => {
  const tx = signed[family](0);

  test.each(faults)('$named', async ({ act, reached, outcome, goesOn }) => {
    const took =
      act.does === 'answer' || (act.does === 'fault' && !/^not/.test(reached)) || act.does === 'hang';
    const world = new FakeWorld({
      family,
      scripts: { a: () => act, b: () => ({ does: 'answer', body: tx.accepted() }) },
    });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const reply = await sending;

    expect(reply.status).toBe(200);
    expect(world.log.rows[0]).toMatchObject({ endpoint: 'a', outcome, reached });
    expect(world.withoutRow).toEqual([]);
    const first = took ? ['a'] : [];
    if (goesOn) {
      expect(world.sentTo).toEqual([...first, 'b']);
      expect(reply.text).toBe(tx.accepted());
      expect(world.log.rows[1]).toMatchObject({ endpoint: 'b', outcome: 'accepted', attempt: 2 });
      expect(reply.headers['rpcgw-attempts']).toBe('2');
    } else {
      expect(world.sentTo).toEqual(first);
      expect(world.log.rows).toHaveLength(1);
      const fault = faultOf(reply.text);
      expect(fault.reason).toBe(outcome === 'unknown' ? 'broadcast_unknown' : 'broadcast_refused');
      expect(fault.transaction).toMatchObject({ id: tx.txId, endpoint: 'a', reached, outcome });
      expect(fault.message).toContain(tx.txId);
      expect(fault.message).toMatch(/[Dd]o not sign it again/);
      harmlessOn(family, reply.text);
    }
    expect(world.lines).toMatchObject(
      world.log.rows.map(row => ({ row: row.row, outcome: row.outcome, txId: tx.txId })),
    );
    expect(world.chain.pool.requests).toBe(0);
    expect(world.chain.pool.records.map(record => record.inFlight)).toEqual([0, 0, 0]);
  });

  test('an allowance that is used up, told under 200, ends it', async () => {
    const said = {
      evm: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"daily request count exceeded, request rate limited"}}',
      solana:
        '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"daily request count exceeded, request rate limited"}}',
      xrpl: '{"result":{"error":"slowDown","error_code":10,"error_message":"You are placing too much load on the server.","status":"error"},"id":1}',
      tron: '{"Error":"Exceed the user daily usage (100000), the maximum query frequency is 1 time per second"}',
    }[family];
    const world = new FakeWorld({ family, scripts: { a: () => ({ does: 'answer', body: said }) } });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const reply = await sending;
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toHaveLength(1);
    expect(['refused', 'unknown']).toContain(world.log.rows[0]?.outcome);
    harmlessOn(family, reply.text);
  });

  test('nobody can be reached: two are tried, and the text says that nothing left', async () => {
    const act: Act = { does: 'fault', kind: 'connect_refused', reached: 'not_connected' };
    const world = new FakeWorld({ family, scripts: { a: () => act, b: () => act, c: () => act } });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const reply = await sending;
    expect(world.received).toEqual([]);
    expect(world.log.rows.map(({ endpoint }) => endpoint)).toEqual(['a', 'b']);
    const fault = faultOf(reply.text);
    expect(fault).toMatchObject({ reason: 'not_sent', attempts: [{ endpoint: 'a' }, { endpoint: 'b' }] });
    expect(fault.message).toContain('Nothing left the gateway; the same signed bytes may be sent again');
    harmlessOn(family, reply.text);
  });

  test('everybody turns it away: two are asked, and no third', async () => {
    const act: Act = { does: 'answer', status: 429, body: 'Too Many Requests' };
    const world = new FakeWorld({ family, scripts: { a: () => act, b: () => act, c: () => act } });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const reply = await sending;
    expect(world.sentTo).toEqual(['a', 'b']);
    expect(faultOf(reply.text)).toMatchObject({
      reason: 'broadcast_refused',
      transaction: { reached: 'answered' },
    });
    harmlessOn(family, reply.text);
  });

  test('one turns it away and the other cannot be reached: bytes have left, and the text does not deny it', async () => {
    const world = new FakeWorld({
      family,
      scripts: {
        a: () => ({ does: 'answer', status: 429, body: 'Too Many Requests' }),
        b: () => ({ does: 'fault', kind: 'dns', reached: 'not_connected' }),
      },
    });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const fault = faultOf((await sending).text);
    expect(fault).toMatchObject({
      reason: 'broadcast_refused',
      transaction: { endpoint: 'a', reached: 'answered' },
    });
    expect(fault.message).not.toContain('Nothing left');
  });

  test('one turns it away and the other takes it and falls silent: that is what the caller hears of', async () => {
    const world = new FakeWorld({
      family,
      scripts: { a: () => ({ does: 'answer', status: 403, body: 'Forbidden' }), b: () => ({ does: 'hang' }) },
    });
    const sending = world.send(tx);
    await world.clock.pass(9_000);
    const fault = faultOf((await sending).text);
    expect(fault).toMatchObject({
      reason: 'broadcast_unknown',
      transaction: { endpoint: 'b', reached: 'handed_over', outcome: 'unknown' },
    });
  });
});

describe('an answer that speaks for itself', () => {
  test.each([
    ['a 429 that carries an acceptance', 429, signed.evm(0).accepted(), 'accepted'],
    [
      'a 403 that carries a rejection',
      403,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nonce too low"}}',
      'rejected',
    ],
    [
      'a 500 that carries a rejection',
      500,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"insufficient funds for gas * price + value"}}',
      'rejected',
    ],
    [
      'a duplicate',
      200,
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"already known"}}',
      'known',
    ],
  ])('%s: it is final, and reaches the client under 200', async (_, status, body, outcome) => {
    const world = new FakeWorld({ scripts: { a: () => ({ does: 'answer', status, body }) } });
    const sending = world.send(signed.evm(0));
    await world.clock.pass(100);
    expect(await sending).toMatchObject({ status: 200, text: body });
    expect(world.sentTo).toEqual(['a']);
    expect(world.log.rows).toMatchObject([{ outcome }]);
  });

  test('of an id that is not that of the request, it is not ours', async () => {
    const body = '{"jsonrpc":"2.0","id":99,"result":"0x00"}';
    const world = new FakeWorld({ scripts: { a: () => ({ does: 'answer', body }) } });
    const sending = world.send(signed.evm(0));
    await world.clock.pass(100);
    expect(faultOf((await sending).text).reason).toBe('broadcast_unknown');
    expect(world.sentTo).toEqual(['a']);
  });
});
