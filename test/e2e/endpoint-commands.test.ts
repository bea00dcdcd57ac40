import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, runCommand, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';

describe('endpoints that an operator adds at runtime', () => {
  const on = stage();
  let own: Upstream;
  let added: Upstream;
  let other: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [own, added, other] = (await on.upstreams(3)) as [Upstream, Upstream, Upstream];
    own.on('eth_gasPrice', result('0x1'));
    added.on('eth_gasPrice', result('0x2'));
    gateway = await on.gateway({
      chains: {
        local: chainOf(
          { own },
          {
            ...askedOften,
            allowedHosts: [
              'rpc.example.com',
              '*.nodes.example.com',
              { host: `127.0.0.1:${added.port}`, allowPrivate: true },
            ],
          },
        ),
      },
    });
  });

  const add = (url: string, ...more: readonly string[]) =>
    gateway.command('endpoint', 'add', 'local', url, '--name', 'added', '--json', ...more);

  it.each([
    [
      'a host that is not on the list',
      () => `https://127.0.0.1:${other.port}`,
      'is not on the allowlist of local',
    ],
    ['another port of a listed host', () => 'https://rpc.example.com:8443', 'is not on the allowlist'],
    ['the domain of a wildcard itself', () => 'https://nodes.example.com', 'is not on the allowlist'],
    ['plain http where it is not allowed', () => 'http://rpc.example.com', 'the URL is refused'],
    ['credentials in the URL', () => 'https://user:pass@rpc.example.com', 'the URL is refused'],
    ['a fragment', () => 'https://rpc.example.com/#x', 'the URL is refused'],
    [
      'a URL two readers read differently',
      () => 'https://rpc.example.com\\@evil.example',
      'the URL is refused',
    ],
    ['another scheme', () => 'ftp://rpc.example.com', 'the URL is refused'],
    ['no URL', () => 'rpc.example.com', 'the URL is refused'],
  ])('%s is refused with 7, and nothing is added', async (_name, url, says) => {
    const { code, stdout, stderr } = await add(url());
    expect([code, stdout]).toEqual([7, '']);
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    expect(error.code).toBe('refused_by_rule');
    expect(error.message).toContain(says);
    expect((await gateway.status()).chains[0]?.total).toBe(1);
  });

  it.each(['21', '50', '100'])(
    'a weight of %s is over the cap for what is added at runtime',
    async weight => {
      const { code, stderr } = await add(added.url, `--weight=${weight}`);
      expect([code, JSON.parse(stderr)]).toMatchObject([7, { error: { code: 'refused_by_rule' } }]);
      expect((await gateway.status()).chains[0]?.total).toBe(1);
    },
  );

  it('a dry run changes nothing', async () => {
    const { code, stdout } = await add(added.url, '--dry-run');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ already: false, endpoint: null });
    expect((await gateway.status()).chains[0]?.total).toBe(1);
  });

  it('one that is allowed earns its place with 20 good probes, visibly, and gets no traffic before', async () => {
    const { code, stdout } = await add(added.url);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      already: false,
      endpoint: {
        name: 'added',
        origin: 'runtime',
        weight: 10,
        host: `http://127.0.0.1:${added.port}`,
      },
    });
    const again = await add(added.url);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { already: true }]);
    const different = await add(added.url, '--weight', '11');
    expect([different.code, JSON.parse(different.stderr)]).toMatchObject([
      7,
      { error: { code: 'conflict' } },
    ]);

    const texts = new Set<string>();
    let last = -1;
    await until(async () => {
      const { state, stateText, progress, reason } = await gateway.endpoint('local', 'added');
      if (state === 'healthy') return true;
      if (state !== 'quarantine' || progress === null) return false;
      texts.add(stateText);
      expect(stateText).toBe(`quarantine ${progress.done}/20`);
      expect(reason).toContain(`${progress.done} of 20 good probes in a row`);
      expect(progress.done).toBeGreaterThanOrEqual(last);
      last = progress.done;
      expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('own');
      return false;
    });
    expect(texts.size).toBeGreaterThan(1);
    expect(added.count('eth_gasPrice')).toBe(0);

    const passed = await until(async () =>
      (await gateway.events({ kind: 'quarantine', endpoint: 'added' })).at(-1),
    );
    expect(passed).toMatchObject({ detail: { gate: 'quarantine', shut: false } });
    await own.close();
    await until(async () => (await gateway.rpc('local', 'eth_gasPrice')).body.result === '0x2');
  });

  it('stays over a restart without its quarantine, and is gone when it is removed', async () => {
    expect(await gateway.stop('SIGKILL')).toBeNull();
    await gateway.restart();
    expect(await gateway.endpoint('local', 'added')).toMatchObject({ origin: 'runtime', state: 'healthy' });

    const silent = await gateway.command('endpoint', 'remove', 'local', 'added');
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain('--yes');
    const fromFile = await gateway.command('endpoint', 'remove', 'local', 'own', '--yes', '--json');
    expect([fromFile.code, JSON.parse(fromFile.stderr)]).toMatchObject([
      7,
      { error: { code: 'refused_by_rule' } },
    ]);
    const unknown = await gateway.command('endpoint', 'remove', 'local', 'aded', '--yes', '--json');
    expect([unknown.code, JSON.parse(unknown.stderr)]).toMatchObject([
      3,
      { error: { code: 'no_such_endpoint', next: [expect.stringContaining('added')] } },
    ]);
    const remove = ['endpoint', 'remove', 'local', 'added', '--yes', '--json'];
    // The one of the file does not answer any more, so it is the last one.
    await until(async () => (await gateway.endpoint('local', 'own')).state === 'down');
    const last = await gateway.command(...remove);
    expect([last.code, JSON.parse(last.stderr)]).toMatchObject([7, { error: { code: 'refused_by_rule' } }]);
    const { code, stdout } = await gateway.command(...remove, '--force');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { already: false, endpoint: null }]);
    expect((await gateway.status()).chains[0]?.total).toBe(1);
    expect(await gateway.stop('SIGKILL')).toBeNull();
    await gateway.restart();
    expect((await gateway.status()).chains[0]?.total).toBe(1);
  });

  it('a URL can come by stdin, so that it stays out of the history', async () => {
    const { code, stderr } = await runCommand(['endpoint', 'add', 'local', '-', '--name', 'piped'], {
      env: gateway.place.env,
      input: `${added.url}/secret-path\n`,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect((await gateway.endpoint('local', 'piped')).host).toBe(`http://127.0.0.1:${added.port}`);
    expect(gateway.output()).not.toContain('secret-path');
  });
});

describe('an endpoint in quarantine that answers wrongly once', () => {
  const on = stage();

  it('starts over', async () => {
    const [own, added] = (await on.upstreams(2)) as [Upstream, Upstream];
    const gateway = await on.gateway({
      chains: {
        local: chainOf(
          { own },
          { staleBlocks: 2, allowedHosts: [{ host: `127.0.0.1:${added.port}`, allowPrivate: true }] },
        ),
      },
    });
    await gateway.command('endpoint', 'add', 'local', added.url, '--name', 'added');
    await until(async () => ((await gateway.endpoint('local', 'added')).progress?.done ?? 0) >= 2);
    added.height = 50;
    await until(async () =>
      (await gateway.endpoint('local', 'added')).gates.some(
        ({ name, reason }) => name === 'quarantine' && reason.startsWith('0 of 20'),
      ),
    );
  });
});
