import { chmod } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Diagnosis, Examination, Explanation } from '../../src/api/advice-shapes.ts';
import { type Gateway, until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { page, result, send, type Upstream } from '../kit/upstream.ts';

describe('test, explain and doctor', () => {
  const on = stage();
  let a: Upstream;
  let b: Upstream;
  let tested: Upstream;
  let stranger: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [a, b, tested, stranger] = (await on.upstreams(4)) as [Upstream, Upstream, Upstream, Upstream];
    const allowed = [{ host: `127.0.0.1:${tested.port}`, allowPrivate: true }];
    gateway = await on.gateway({
      chains: { local: chainOf({ a, b }, { staleBlocks: 2, allowedHosts: allowed }) },
    });
  });

  const test = async (url: string, ...more: readonly string[]): Promise<[number | null, Examination]> => {
    const { code, stdout, stderr } = await gateway.command(
      'test',
      'local',
      url,
      '--samples',
      '3',
      '--json',
      ...more,
    );
    expect(stderr).toBe('');
    const found = JSON.parse(stdout) as Examination;
    expectShape('examination', found);
    return [code, found];
  };
  const checks = (found: Examination): Record<string, string> =>
    Object.fromEntries(found.checks.map(({ name, result: is }) => [name, is]));

  it('a good URL passes, with a line ready to be typed and nothing of it but its host', async () => {
    const [code, found] = await test(`${tested.url}/v3/0123456789abcdef`);
    expect(code).toBe(0);
    expect(found).toMatchObject({
      host: `http://127.0.0.1:${tested.port}`,
      height: 100,
      lag: 0,
      client: 'Scripted/v1',
      addable: true,
      next: 'rpcgw endpoint add local "$URL" --name NAME',
      latencyMs: { samples: 3 },
    });
    expect(checks(found)).toMatchObject({
      reachable: 'pass',
      identity: 'pass',
      head: 'pass',
      latency: 'pass',
    });
    expect(found.calls).toBe(tested.count());
    expect(found.calls).toBeLessThan(60);
    expect(JSON.stringify(found)).not.toContain('0123456789abcdef');
    expect(gateway.output()).not.toContain('0123456789abcdef');
    expect((await gateway.status()).chains[0]?.total).toBe(2);
  });

  it('one on another network fails, and is not offered', async () => {
    tested.chainId = 5;
    const [code, found] = await test(tested.url);
    tested.chainId = 31337;
    expect([code, found.verdict, found.addable, found.next]).toEqual([1, 'bad', false, null]);
    expect(found.checks.find(({ name }) => name === 'identity')).toMatchObject({
      result: 'fail',
      text: 'it says it is on 5, local is 31337',
    });
  });

  it('one that lags, refuses its key, or is not there fails, each in words', async () => {
    tested.height = 50;
    expect(checks((await test(tested.url))[1])).toMatchObject({ identity: 'pass', head: 'fail' });
    tested.height = 100;
    tested.always(send(401, '{"error":"invalid api key"}'));
    const [, denied] = await test(tested.url);
    expect(denied.checks[0]).toMatchObject({ name: 'reachable', result: 'fail' });
    expect(denied.checks[0]?.text).toContain('auth refused');
    tested.always(page(502));
    expect((await test(tested.url))[1].verdict).toBe('bad');
    tested.always(undefined);
  });

  it('one of the pool is tested by its name', async () => {
    const [code, found] = await test('a');
    expect([code, found.host, found.addable]).toEqual([0, `http://127.0.0.1:${a.port}`, false]);
    expect((await gateway.command('test', 'local', 'nobody')).code).toBe(3);
  });

  it('one that is in the pool already is said to be', async () => {
    const [code, found] = await test(a.url);
    expect([code, found.addable]).toEqual([0, false]);
    expect(found.checks.at(-1)).toMatchObject({ name: 'pool', text: 'local has this URL already: a' });
  });

  it('a host that is not on the allowlist is sent nothing, and it is told what would have to be added', async () => {
    const { code, stdout, stderr } = await gateway.command('test', 'local', stranger.url, '--json');
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain(`{ host: \\"127.0.0.1:${stranger.port}\\", allowPrivate: true }`);
    const named = await gateway.command('test', 'local', 'https://rpc.stranger.example/key', '--json');
    expect(named.code).toBe(7);
    expect(named.stderr).toContain('chains.local.allowedHosts:  - rpc.stranger.example');
    expect(named.stderr).not.toContain('/key');
    expect(stranger.count()).toBe(0);
  });

  const explain = async (...args: readonly string[]): Promise<[number | null, Explanation]> => {
    const { code, stdout } = await gateway.command('explain', 'local', ...args, '--json');
    const found = JSON.parse(stdout) as Explanation;
    expectShape('explanation', found);
    return [code, found];
  };

  it('explains the choice that is then made, sends nothing for it', async () => {
    a.on('eth_gasPrice', result('0xa'));
    b.on('eth_gasPrice', result('0xb'));
    const [code, found] = await explain('eth_gasPrice');
    expect([code, found.kind, found.class]).toEqual([0, 'read', 'read']);
    expect(found.endpoints.map(({ name, place }) => `${name} ${place}`)).toEqual(['a chosen', 'b next']);
    expect(a.count('eth_gasPrice') + b.count('eth_gasPrice')).toBe(0);
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe(found.chosen);
  });

  it('tells what holds the others, and what a request needs', async () => {
    await gateway.api.ask('endpointDrain', { chain: 'local', name: 'a' });
    const [, found] = await explain('eth_getBalance', '0x0000000000000000000000000000000000000000', '0x5');
    expect(found).toMatchObject({ height: 5, history: { kind: 'state', height: 5 }, chosen: 'b' });
    expect(found.endpoints[1]).toMatchObject({
      name: 'a',
      place: 'held',
      gates: [
        expect.objectContaining({ name: 'draining', next: 'enable it: rpcgw endpoint enable local a' }),
      ],
    });
    const words = await gateway.command('explain', 'local', 'eth_gasPrice');
    expect(words.stdout).toMatch(/^class {2}read\nchosen {2}b .*\nnot {5}a {2}drained by an operator/);
    await gateway.api.ask('endpointEnable', { chain: 'local', name: 'a' });
  });

  it.each([
    ['eth_sign', 1, 'refused', 'never forwarded'],
    ['eth_noSuchMethod', 0, 'read', null],
    ['eth_sendRawTransaction', 0, 'broadcast', null],
  ])('explains %s', async (method, exit, kind, says) => {
    const [code, found] = await explain(method, '0x00');
    expect([code, found.kind]).toEqual([exit, kind]);
    if (says === null) expect(found.text).toBeNull();
    else expect(found.text).toContain(says);
  });

  it('explains when nobody could take it, with 1', async () => {
    await gateway.api.ask('endpointDisable', { chain: 'local', name: 'a' });
    await gateway.api.ask('endpointDisable', { chain: 'local', name: 'b', force: true });
    const [code, found] = await explain('eth_gasPrice');
    expect([code, found.chosen, found.text]).toEqual([1, null, 'nobody could take it now']);
    await gateway.api.ask('endpointEnable', { chain: 'local', name: 'a' });
    await gateway.api.ask('endpointEnable', { chain: 'local', name: 'b' });
  });

  const doctor = async (): Promise<[number | null, Diagnosis]> => {
    const { code, stdout } = await gateway.command('doctor', '--json');
    const found = JSON.parse(stdout) as Diagnosis;
    expectShape('diagnosis', found);
    return [code, found];
  };

  it('the doctor finds nothing wrong with a gateway that is well, but notes what could be better', async () => {
    await until(async () => (await gateway.status()).chains[0]?.usable === 2);
    const [code, found] = await doctor();
    expect(found.findings.filter(({ level }) => level !== 'note')).toEqual([]);
    expect([code, found.ok]).toEqual([0, true]);
    expect(found.findings).toContainEqual(
      expect.objectContaining({ level: 'note', text: expect.stringContaining('no redundancy: a, b share') }),
    );
  });

  it('the doctor says what is wrong, most important first, with what to do', async () => {
    b.always({ do: 'reset' });
    await until(async () => (await gateway.endpoint('local', 'b')).state === 'down');
    await chmod(gateway.place.dataDir, 0o755);
    const [code, found] = await doctor();
    b.always(undefined);
    await chmod(gateway.place.dataDir, 0o700);
    expect([code, found.ok]).toEqual([1, false]);
    const levels = found.findings.map(({ level }) => level);
    expect(levels).toEqual([...levels].sort((x, y) => order.indexOf(x) - order.indexOf(y)));
    expect(found.findings).toContainEqual(
      expect.objectContaining({ level: 'fault', subject: 'local/b', next: 'rpcgw endpoint show local b' }),
    );
    expect(found.findings).toContainEqual(
      expect.objectContaining({ level: 'fault', next: `chmod 700 ${gateway.place.dataDir}` }),
    );
    expect(found.findings).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        subject: 'local',
        text: 'no spare left: one usable endpoint',
      }),
    );
  });
});

const order = ['fault', 'warn', 'note'];

describe('a clock that is slow', () => {
  const on = stage();

  it('is told by blocks that come from the future', async () => {
    const a = await on.upstream();
    const seconds = Math.floor(Date.now() / 1000) + 3600;
    a.on('eth_getBlockByNumber', result({ number: '0x64', timestamp: `0x${seconds.toString(16)}` }));
    const gateway = await on.gateway({ chains: { local: chainOf({ a }) } });
    const { code, stdout } = await gateway.command('doctor', '--json');
    const found = JSON.parse(stdout) as Diagnosis;
    expect(code).toBe(1);
    expect(found.findings[0]).toMatchObject({ level: 'fault', subject: 'clock', next: 'timedatectl status' });
  });
});

describe('the doctor without a daemon', () => {
  const on = stage();

  it('says so first, and looks at what is left', async () => {
    const place = await on.place({
      chains: {
        local: {
          family: 'evm',
          chainId: 5,
          endpoints: [{ name: 'a', url: 'http://127.0.0.1:9', allowPrivate: true }],
        },
      },
    });
    const { code, stdout } = await place.command('doctor', '--json');
    const found = JSON.parse(stdout) as Diagnosis;
    expectShape('diagnosis', found);
    expect(code).toBe(1);
    expect(found.findings).toMatchObject([{ level: 'fault', subject: 'daemon', next: 'rpcgw serve' }]);
  });
});
