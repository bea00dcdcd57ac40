import { beforeAll, describe, expect, it } from 'vitest';
import type {
  AuditVerdict,
  BroadcastStory,
  Broadcasts,
  Report,
  Trace,
} from '../../src/api/history-shapes.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { evmRaw, signed } from '../kit/signed.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { page, result, type Upstream } from '../kit/upstream.ts';

describe('what has happened', () => {
  const on = stage();
  let a: Upstream;
  let b: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [a, b] = (await on.upstreams(2)) as [Upstream, Upstream];
    a.on('eth_gasPrice', page(502));
    b.on('eth_gasPrice', result('0xb'));
    gateway = await on.gateway({ chains: { local: chainOf({ a, b }) } });
  });

  it('trace: every attempt of a request, by the id in its answer', async () => {
    const { headers } = await gateway.rpc('local', 'eth_gasPrice');
    const id = headers.get('rpcgw-request-id') ?? '';
    const found = await gateway.json<Trace>('trace', id);
    expectShape('trace', found);
    expect(found).toMatchObject({
      requestId: id,
      requests: [
        {
          chain: 'local',
          method: 'eth_gasPrice',
          outcome: 'ok',
          attempts: [
            { endpoint: 'a', verdict: 'node_failure' },
            { endpoint: 'b', verdict: 'ok' },
          ],
        },
      ],
    });
    const words = await gateway.command('trace', id);
    expect(words.stdout).toMatch(
      /local eth_gasPrice \(read\): ok after .*\nATTEMPT {2}ENDPOINT {2}VERDICT +TIME\n/,
    );
    const none = await gateway.command('trace', 'none', '--json');
    expect([none.code, JSON.parse(none.stderr)]).toMatchObject([3, { error: { code: 'no_such_request' } }]);
  });

  it('report: numbers of each endpoint, the running minute included, as JSON, table and CSV', async () => {
    for (let n = 0; n < 3; n += 1) await gateway.rpc('local', 'eth_gasPrice');
    const found = await gateway.json<Report>('report', '--since', '1h');
    expectShape('report', found);
    const [first, second] = found.rows;
    expect([first?.endpoint, second?.endpoint]).toEqual(['a', 'b']);
    expect(second).toMatchObject({ requests: 4, errorRate: 0, p50Ms: expect.any(Number) });
    expect(first?.verdicts.node_failure).toBe(first?.errors);
    expect(first?.errorRate).toBe(1);
    expect(found.notes).toContainEqual({ chain: 'local', text: expect.stringContaining('no redundancy') });

    const words = await gateway.command('report');
    expect(words.stdout).toMatch(/^since .*\nENDPOINT {2}REQUESTS {4}ERR% .*\nlocal\/a /);
    const csv = (await gateway.command('report', '--csv')).stdout.trimEnd().split('\n');
    expect(csv[0]).toMatch(/^chain,endpoint,from,to,requests,.*,ok,app_error,/);
    expect(csv.slice(1).map(line => line.split(',').slice(0, 2).join('/'))).toEqual(['local/a', 'local/b']);
    expect((await gateway.command('report', '--chain', 'nowhere')).code).toBe(3);
    expect((await gateway.command('report', '--since', '24')).code).toBe(2);
  });

  it('report: the running minute of a daemon that was stopped is not lost', async () => {
    const before = await gateway.json<Report>('report', '--since', '1h');
    expect(await gateway.stop()).toBe(0);
    await gateway.restart();
    const after = await gateway.json<Report>('report', '--since', '1h');
    const requests = ({ rows }: Report) => rows.map(row => [row.endpoint, row.requests]);
    expect(requests(after)).toEqual(requests(before));
  });

  it('broadcasts: what was sent, where and with what outcome; one of unknown outcome cannot be overlooked', async () => {
    const good = signed.evm(1, 31337);
    const lost = signed.evm(2, 31337);
    // Whichever of them is taken: what the other tests asked may have closed one.
    for (const upstream of [a, b]) upstream.on('eth_sendRawTransaction', result(good.txId));
    await gateway.post('/local', good.body());
    for (const upstream of [a, b]) upstream.on('eth_sendRawTransaction', { do: 'reset' });
    await gateway.post('/local', lost.body());

    const all = await gateway.json<Broadcasts>('broadcasts');
    expectShape('broadcasts', all);
    expect(all.broadcasts.map(({ txId, outcome }) => [txId, outcome])).toEqual([
      [lost.txId, 'unknown'],
      [good.txId, 'accepted'],
    ]);
    const open = await gateway.json<Broadcasts>('broadcasts', '--unknown');
    expect(open.broadcasts.map(({ txId }) => txId)).toEqual([lost.txId]);
    const one = await gateway.json<Broadcasts>(
      'broadcasts',
      '--tx',
      good.txId,
      '--chain',
      'local',
      '--since',
      '1h',
    );
    expect(one.broadcasts).toHaveLength(1);
    expect((await gateway.command('broadcasts')).stdout).toContain('! unknown');
    expect((await gateway.command('status')).stdout).toContain(
      '! local: 1 broadcast of unknown outcome: rpcgw broadcasts --unknown',
    );
    expect((await gateway.command('doctor')).stdout).toContain('rpcgw broadcasts --unknown --chain local');

    const exported = (await gateway.command('broadcasts', 'export')).stdout.trimEnd().split('\n');
    expect(exported).toHaveLength(2);
    for (const line of exported) expectShape('broadcast', JSON.parse(line));
  });

  it('broadcasts show: by number and by id; never sent is 3', async () => {
    const { broadcasts } = await gateway.json<Broadcasts>('broadcasts');
    const [lost, good] = broadcasts;
    const story = await gateway.json<BroadcastStory>('broadcasts', 'show', String(good?.id));
    expectShape('broadcastStory', story);
    expect(story.attempts).toMatchObject([
      { outcome: 'accepted', answer: expect.stringContaining(good?.txId ?? '-') },
    ]);
    const byId = await gateway.json<BroadcastStory>('broadcasts', 'show', lost?.txId ?? '');
    expect(byId.attempts).toMatchObject([{ id: lost?.id, outcome: 'unknown', reached: 'handed_over' }]);
    expect(byId.timeline.length).toBeGreaterThan(0);
    const words = (await gateway.command('broadcasts', 'show', lost?.txId ?? '')).stdout;
    expect(words).toContain(`  id        ${lost?.txId}`);
    for (const id of ['999', `0x${'0'.repeat(64)}`]) {
      const none = await gateway.command('broadcasts', 'show', id, '--json');
      expect([none.code, JSON.parse(none.stderr)]).toMatchObject([
        3,
        { error: { code: 'no_such_transaction' } },
      ]);
    }
  });

  it('broadcasts settle: ends what is open, with a note, once, audited', async () => {
    const { broadcasts } = await gateway.json<Broadcasts>('broadcasts', '--unknown');
    const id = String(broadcasts[0]?.id);
    expect((await gateway.command('broadcasts', 'settle', id)).code).toBe(2);
    const settle = ['broadcasts', 'settle', id, '--note', 'in block 7, seen with two explorers'] as const;
    const first = await gateway.json<{ already: boolean }>(...settle);
    expectShape('settled', first);
    expect(first.already).toBe(false);
    expect(await gateway.json(...settle)).toMatchObject({ already: true });
    expect((await gateway.json<Broadcasts>('broadcasts', '--unknown')).broadcasts).toEqual([]);
    expect((await gateway.command('broadcasts', 'settle', '999', '--note', 'x')).code).toBe(3);
    const story = await gateway.json<BroadcastStory>('broadcasts', 'show', id);
    expect(story.attempts[0]?.followUp?.settled).toMatchObject({ how: 'operator', note: settle[4] });
    const { rows } = await gateway.api.ask('auditList', {});
    expect(rows.filter(({ action }) => action === 'broadcasts settle')).toMatchObject([
      { result: 'done', target: id, note: settle[4] },
      { result: 'already' },
    ]);
    expect((await gateway.command('status')).stdout).not.toContain('unknown outcome');
  });

  it('the raw bytes of a transaction stay out of all of it', async () => {
    const raw = evmRaw(2, 31337).slice(4, 80);
    for (const words of [['broadcasts'], ['broadcasts', 'export'], ['events'], ['audit', 'list']])
      expect((await gateway.command(...words, '--json')).stdout).not.toContain(raw);
    expect(gateway.output()).not.toContain(raw);
  });

  it('audit: listed oldest first, verified whole, and not by a hash that is not its own', async () => {
    const list = await gateway.json('audit', 'list');
    expectShape('auditList', list);
    const verdict = await gateway.json<AuditVerdict>('audit', 'verify');
    expectShape('auditVerdict', verdict);
    expect(verdict.sound).toBe(true);
    const logged = gateway.log().filter(({ msg }) => msg === 'audit');
    expect(logged.at(-1)?.hash).toBe(verdict.head);
    const head = String(logged[0]?.hash);
    expect((await gateway.command('audit', 'verify', '--head', head)).code).toBe(0);
    const other = await gateway.command('audit', 'verify', '--head', '0'.repeat(63).concat('1'));
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('NOT WHOLE')]);
    expect((await gateway.command('audit', 'verify', '--head', 'abc')).code).toBe(2);
  });

  it('events: of one endpoint, of one kind, as lines', async () => {
    await gateway.api.ask('endpointDrain', { chain: 'local', name: 'b' });
    await until(async () => (await gateway.events({ kind: 'draining' })).length > 0);
    const { stdout } = await gateway.command('events', '--kind', 'draining', '--endpoint', 'b', '--json');
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) expectShape('event', JSON.parse(line));
    expect(lines).toHaveLength(1);
    expect((await gateway.command('events', '--limit', 'many')).code).toBe(2);
  });

  it('log-level: told, changed, and back by itself', async () => {
    expectShape('logLevel', await gateway.json('log-level'));
    expect(await gateway.json('log-level', 'debug')).toMatchObject({ already: false, level: 'debug' });
    expect(await gateway.json('log-level', 'debug')).toMatchObject({ already: true });
    expect(await gateway.json('log-level', 'warn', '--for', '1s')).toMatchObject({ level: 'warn' });
    await until(async () => (await gateway.api.ask('logLevel', {})).level === 'debug');
    expect((await gateway.command('log-level', 'loud')).code).toBe(2);
  });
});
