import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/api/advice-shapes.ts';
import { type ConfigFile, type Gateway, until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';

describe('a reload', () => {
  const on = stage();
  let a: Upstream;
  let b: Upstream;
  let c: Upstream;
  let d: Upstream;
  let gateway: Gateway;
  let written: Record<string, unknown>;

  beforeAll(async () => {
    [a, b, c, d] = (await on.upstreams(4)) as [Upstream, Upstream, Upstream, Upstream];
    gateway = await on.gateway({ chains: { local: chainOf({ a }) } });
    written = JSON.parse(await readFile(gateway.place.file, 'utf8'));
  });

  const write = (changes: ConfigFile): Promise<void> =>
    writeFile(gateway.place.file, JSON.stringify({ ...written, ...changes }));
  const chains = (endpoints: Readonly<Record<string, { url: string }>>, more = {}): ConfigFile => ({
    chains: { local: chainOf(endpoints, more) },
  });
  const names = async (): Promise<string[]> =>
    (await gateway.status()).chains.flatMap(chain =>
      chain.endpoints.map(each => `${chain.name}/${each.name}`),
    );

  it('of a file that has not changed takes nothing over, and says so', async () => {
    const plan = await gateway.json<Plan>('reload');
    expectShape('plan', plan);
    expect(plan).toMatchObject({ applied: true, changes: [], file: gateway.place.file });
  });

  it('is planned beforehand, by the daemon, with the same words', async () => {
    await write(chains({ a, b }, { strategy: 'best' }));
    const checked = await gateway.command('check', '--against-running', '--json');
    const { plan, ok } = JSON.parse(checked.stdout) as { plan: Plan; ok: boolean };
    expectShape('check', JSON.parse(checked.stdout));
    expect([checked.code, ok, plan.applied]).toEqual([0, true, false]);
    expect(plan.changes.map(({ kind }) => kind)).toEqual(['chain_changed', 'endpoint_added']);
    expect(await names()).toEqual(['local/a']);

    const dry = await gateway.json<Plan>('reload', '--dry-run');
    expect(dry).toEqual(plan);
    const done = await gateway.json<Plan>('reload');
    expect(done.changes).toEqual(plan.changes);
    expect(await names()).toEqual(['local/a', 'local/b']);
    expect((await gateway.json<Plan>('reload')).changes).toEqual([]);
  });

  it('drops no request: what is in flight ends where it began', async () => {
    const held = Promise.withResolvers<void>();
    a.on('eth_call', {
      do: 'custom',
      answer: (response, seen) => {
        void held.promise.then(() =>
          response.end(JSON.stringify({ jsonrpc: '2.0', id: seen.id, result: '0xa' })),
        );
      },
    });
    b.on('eth_gasPrice', result('0xb'));
    await write(chains({ a, b }));
    await gateway.json('reload');
    const slow = gateway.rpc('local', 'eth_call', [{}, 'latest']);
    await until(async () => a.count('eth_call') === 1);
    const others = Array.from({ length: 20 }, () => gateway.rpc('local', 'eth_chainId'));
    await write(chains({ b }));
    await gateway.json('reload');
    expect(await names()).toEqual(['local/b']);
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('b');
    held.resolve();
    expect((await slow).body.result).toBe('0xa');
    for (const reply of await Promise.all(others)) expect(reply.body.result).toBe('0x7a69');
  });

  it('drops no request when every endpoint of a chain is another one', async () => {
    const stop = new AbortController();
    const failed: string[] = [];
    const traffic = (async () => {
      while (!stop.signal.aborted) {
        const { body, text } = await gateway.rpc('local', 'eth_gasPrice');
        if (body.result === undefined) failed.push(text);
      }
    })();
    for (const endpoints of [{ d }, { a }, { d }, { b }]) {
      await write(chains(endpoints));
      await gateway.json('reload');
    }
    stop.abort();
    await traffic;
    expect(failed).toEqual([]);
  });

  it('of an invalid file changes nothing, and says so everywhere', async () => {
    await write({ ...chains({ a, b }), chans: {} });
    const refused = await gateway.command('reload', '--json');
    expect(refused.code).toBe(4);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'config_invalid' } });
    expect(refused.stderr).toContain('chans');
    expect(await names()).toEqual(['local/b']);
    const status = await gateway.status();
    expect(status.lastReload).toMatchObject({ ok: false });
    expect(status.ready).toBe(true);
    expect((await gateway.get('/metrics')).text).toContain('\nrpcgw_config_last_reload_successful 0\n');
    expect((await gateway.command('status')).stdout).toContain('! reload refused');
    expect(await gateway.events({ kind: 'reload' })).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ level: 'alarm' })]),
    );
    expect((await gateway.command('check', '--against-running')).code).toBe(4);
    const audit = await gateway.api.ask('auditList', {});
    expect(audit.rows.at(-1)).toMatchObject({ action: 'reload', result: 'refused' });
  });

  it('by SIGHUP is the same, and its plan is in the log', async () => {
    await write({ ...chains({ a, b }), limits: { batch: 5 } });
    process.kill(gateway.pid, 'SIGHUP');
    await until(async () => (await names()).length === 2);
    await until(async () => gateway.log().some(line => line.change === 'local/a: added'));
    const restart = gateway.log().find(line => String(line.change).includes('needs a restart'));
    expect(restart?.change).toContain('limits.batch 1000 → 5');
    expect((await gateway.status()).lastReload).toMatchObject({ ok: true });
    await until(async () => {
      const last = (await gateway.api.ask('auditList', {})).rows.at(-1);
      return last?.who === 'SIGHUP' && last.action === 'reload' && last.result === 'done';
    });
    // What was left as it is, is told again.
    expect((await gateway.api.ask('plan', {})).changes).toMatchObject([{ needsRestart: true }]);
  });

  it('never widens an allowlist, and says so', async () => {
    const allowed = { allowedHosts: [{ host: `127.0.0.1:${c.port}`, allowPrivate: true }] };
    await write(chains({ a, b }, allowed));
    const plan = await gateway.json<Plan>('reload');
    expect(plan.changes).toMatchObject([{ kind: 'hosts_changed', needsRestart: true }]);
    expect(plan.changes[0]?.text).toContain('needs a restart');
    const add = ['endpoint', 'add', 'local', c.url, '--name', 'c'] as const;
    expect((await gateway.command(...add)).code).toBe(7);
    expect((await gateway.command('test', 'local', c.url)).code).toBe(7);
    expect(c.count()).toBe(0);
    expect(await gateway.stop()).toBe(0);
    await gateway.restart();
    expect((await gateway.command(...add)).code).toBe(0);
  });

  it('that would make one endpoint of two is refused whole', async () => {
    const allowed = { allowedHosts: [{ host: `127.0.0.1:${c.port}`, allowPrivate: true }] };
    await write(chains({ a, c: b }, allowed));
    const name = await gateway.command('reload', '--json');
    expect([name.code, JSON.parse(name.stderr)]).toMatchObject([7, { error: { code: 'conflict' } }]);
    await write(chains({ a, other: c }, allowed));
    const url = await gateway.command('reload', '--json');
    expect([url.code, JSON.parse(url.stderr)]).toMatchObject([7, { error: { code: 'conflict' } }]);
    expect(await names()).toEqual(['local/a', 'local/b', 'local/c']);
  });

  it('takes chains in and out, under all their names', async () => {
    await gateway.api.ask('endpointRemove', { chain: 'local', name: 'c', force: true });
    b.chainId = 31338;
    await write({
      chains: { local: chainOf({ a }), second: chainOf({ b }, { chainId: 31338, aliases: ['two'] }) },
    });
    await gateway.json('reload');
    await until(async () => (await gateway.rpc('two', 'eth_gasPrice')).body.result === '0xb');
    b.chainId = 31337;
    await write(chains({ a }));
    await gateway.json('reload');
    expect((await gateway.rpc('second', 'eth_gasPrice')).status).toBe(404);
    expect((await gateway.rpc('local', 'eth_chainId')).body.result).toBe('0x7a69');
  });

  it('that brings a chain looks over its endpoints once all of them were asked: who came first was held against nobody', async () => {
    const behind = await on.upstream({ chainId: 31339, height: 100 });
    const ahead = await on.upstream({ chainId: 31339, height: 200 });
    // It does not say how far it is before the other one has.
    const held = Promise.withResolvers<void>();
    ahead.on('eth_getBlockByNumber', {
      do: 'custom',
      answer: (response, seen) => {
        void held.promise.then(() =>
          response.end(
            JSON.stringify({
              jsonrpc: '2.0',
              id: seen.id,
              result: { number: '0xc8', timestamp: '0x1', transactions: [] },
            }),
          ),
        );
      },
    });
    const third = chainOf({ behind, ahead }, { chainId: 31339 });
    await write({ chains: { local: chainOf({ a }), third } });
    await gateway.json('reload');
    await until(async () => (await gateway.endpoint('third', 'behind')).head === 100);
    // Nothing that it says later makes it stale.
    behind.always({ do: 'hang' });
    held.resolve();
    await until(async () => (await gateway.endpoint('third', 'ahead')).head === 200);
    await until(async () => (await gateway.endpoint('third', 'behind')).state === 'stale');
    expect((await gateway.endpoint('third', 'behind')).lag).toBe(100);
  });

  it('keeps what operators switched', async () => {
    await write(chains({ a, b }));
    await gateway.json('reload');
    await gateway.api.ask('endpointSet', { chain: 'local', name: 'a', weight: '7' });
    await write(chains({ a, b }, { attempts: 2 }));
    await gateway.json('reload');
    expect((await gateway.endpoint('local', 'a')).weight).toBe(7);
  });

  it('is asked of the daemon’s own file alone', async () => {
    const other = await gateway.command('check', 'other.yaml', '--against-running', '--json');
    expect([other.code, JSON.parse(other.stderr)]).toMatchObject([2, { error: { code: 'usage' } }]);
    expect((await gateway.command('check', gateway.place.file, '--against-running')).code).toBe(0);
  });
});
