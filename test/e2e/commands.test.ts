import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Finished, type Gateway, runCommand, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { page, result, type Upstream } from '../kit/upstream.ts';

const fixture = (path: string): string => fileURLToPath(new URL(`../../fixtures/${path}`, import.meta.url));

interface ErrorObject {
  readonly code: string;
  readonly message: string;
  readonly why: readonly string[];
  readonly next: readonly string[];
  readonly exit: number;
}

/** What `--json` prints on stderr when a command fails, and nothing on stdout. */
function errorOf({ code, stdout, stderr }: Finished): ErrorObject {
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr) as { error: ErrorObject };
  expect(error.exit).toBe(code);
  return error;
}

describe('commands that need no daemon', () => {
  const on = stage();

  it('init writes a config for its owner alone that check finds valid, and never over another', async () => {
    const place = await on.place({ chains: {} });
    const written = await runCommand(['init'], { cwd: place.dir, env: { RPCGW_CONFIG: '' } });
    expect(written.code).toBe(7);
    expect(written.stderr).toContain('rpcgw.yaml is there already');

    const other = await runCommand(['init', '--file', 'mine.yaml', '--json'], { cwd: place.dir });
    expect([other.code, other.stderr]).toEqual([0, '']);
    expect(JSON.parse(other.stdout)).toMatchObject({ file: 'mine.yaml' });
    const file = join(place.dir, 'mine.yaml');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const checked = await runCommand(['check', 'mine.yaml'], { cwd: place.dir });
    expect(checked.code).toBe(0);
    expect(checked.stdout).toContain('6 chains');
    expect(
      JSON.parse((await runCommand(['check', 'mine.yaml', '--json'], { cwd: place.dir })).stdout),
    ).toMatchObject({ ok: true, problems: [] });
  });

  it('check lists ten mistakes in a config with ten, and serve refuses it with the same words', async () => {
    const file = fixture('configs/ten-mistakes.yaml');
    const { code, stdout } = await runCommand(['check', file, '--json']);
    expect(code).toBe(4);
    const { ok, problems } = JSON.parse(stdout) as { ok: boolean; problems: { line: number; key: string }[] };
    expect(ok).toBe(false);
    expect(problems).toHaveLength(10);
    for (const problem of problems) expect(problem).toMatchObject({ line: expect.any(Number) });

    const words = await runCommand(['check', file]);
    expect(words.code).toBe(4);
    const lines = words.stdout
      .trim()
      .split('\n')
      .filter(line => /:\d+:\d+: /.test(line));
    expect(lines).toHaveLength(10);
    expect(words.stdout).toContain('weight');
    const refused = await runCommand(['serve', '--config', file]);
    expect(refused.code).toBe(4);
    for (const line of lines) expect(refused.stderr).toContain(line);
    // The URL's own secret is in no line of it.
    expect(words.stdout + refused.stderr).not.toContain('0a1b2c3d4e5f');
  });

  it('serve without a config says where it looked', async () => {
    const place = await on.place({ chains: {} });
    const nowhere = join(place.dir, 'nowhere');
    const env = { ...process.env, HOME: nowhere, XDG_CONFIG_HOME: nowhere, RPCGW_CONFIG: '' };
    const error = errorOf(await runCommand(['serve', '--json'], { cwd: place.dir.slice(0, 4), env }));
    expect(error).toMatchObject({ code: 'config_invalid', exit: 4 });
    expect(error.why.join(' ')).toContain('/etc/rpcgw/rpcgw.yaml');
    expect(error.next.join(' ')).toContain('rpcgw init');
  });

  it('config schema is a JSON Schema of the config', async () => {
    const { code, stdout } = await runCommand(['config', 'schema']);
    expect(code).toBe(0);
    const schema = JSON.parse(stdout) as { type: string; properties: Record<string, unknown> };
    expect(schema.type).toBe('object');
    expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(['listen', 'chains', 'limits']));
  });

  it('classify judges the recorded cases line by line, in order, with a rule each', async () => {
    const input = readFileSync(fixture('corpus/evm.jsonl'), 'utf8');
    const cases = input
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { id: string });
    const { code, stdout, stderr } = await runCommand(['classify', '--jsonl'], { input });
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ id }) => id)).toEqual(cases.map(({ id }) => id));
    for (const line of lines)
      expect(line).toMatchObject({ verdict: expect.any(String), rule: expect.any(String) });
  });

  it('classify tells a line that cannot be judged, judges the others, and ends with 1', async () => {
    const good = readFileSync(fixture('corpus/evm.jsonl'), 'utf8').split('\n')[0] ?? '';
    const { code, stdout, stderr } = await runCommand(['classify', '--jsonl'], {
      input: `nonsense\n${good}\n`,
    });
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('line 1: ');
  });

  it('classify takes one answer by flags', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x"}}';
    const { code, stdout } = await runCommand(['classify', '--method', 'eth_call', '--body', body, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'app_error' });
  });

  it.each([[['nonsense']], [['status', '--nonsense']], [['endpoint', 'add', 'local']], [['endpoint']], [[]]])(
    'a wrong use ends with 2, %j',
    async args => {
      const { code, stdout } = await runCommand(args);
      expect(code).toBe(2);
      expect(stdout).toBe('');
    },
  );

  it('help and version end with 0, and say so on stdout', async () => {
    const [help, version] = await Promise.all([runCommand(['--help']), runCommand(['--version'])]);
    expect([help.code, version.code]).toEqual([0, 0]);
    expect(help.stdout).toContain('serve');
    const { version: expected } = JSON.parse(readFileSync(fixture('../package.json'), 'utf8')) as {
      version: string;
    };
    expect(version.stdout.trim()).toBe(expected);
  });
});

describe('commands against a daemon', () => {
  const on = stage();
  let good: Upstream;
  let wrong: Upstream;
  let gateway: Gateway;
  const json = <T>(...args: readonly string[]): Promise<T> => gateway.json<T>(...args);

  beforeAll(async () => {
    [good, wrong] = [await on.upstream(), await on.upstream({ chainId: 5 })];
    good.on('eth_gasPrice', result('0x77'));
    good.on('eth_call', { do: 'error', error: { code: 3, message: 'execution reverted', data: '0x01' } });
    gateway = await on.gateway({
      chains: {
        local: chainOf(
          {},
          {
            endpoints: [
              { name: 'good', url: `${good.url}/secret-path?key=secret-key`, allowPrivate: true },
              { name: 'wrong', url: wrong.url, allowPrivate: true },
            ],
          },
        ),
      },
    });
    await until(async () => (await gateway.endpoint('local', 'good')).head === 100);
  });

  it('status: who, the pools, and what needs somebody; nothing of a URL beyond its host', async () => {
    const status = await json<Awaited<ReturnType<Gateway['status']>>>('status');
    expect(status).toMatchObject({
      ready: true,
      draining: false,
      pid: gateway.pid,
      listen: gateway.url,
      config: gateway.place.file,
      store: { ok: true, reason: null, since: null },
    });
    expect(status.chains).toHaveLength(1);
    expect(status.chains[0]).toMatchObject({ name: 'local', family: 'evm', usable: 1, total: 2 });
    expect(status.chains[0]?.endpoints[0]).toMatchObject({
      name: 'good',
      chain: 'local',
      host: `http://127.0.0.1:${good.port}`,
      origin: 'file',
      state: 'healthy',
      head: 100,
      lag: 0,
      gates: [],
    });
    const words = await gateway.command('status');
    expect(words.code).toBe(0);
    expect(words.stderr).toBe('');
    expect(words.stdout).toContain('READY');
    expect(words.stdout).toContain('wrong network');
    expect(JSON.stringify(status) + words.stdout + gateway.output()).not.toMatch(/secret/);
    expect((await gateway.command('status', 'local')).code).toBe(0);
    const unknown = errorOf(await gateway.command('status', 'locla', '--json'));
    expect(unknown).toMatchObject({ code: 'no_such_chain', exit: 3 });
    expect(unknown.next.join(' ')).toContain('local');
  });

  it('scores: term by term, with the gates', async () => {
    const { chains } = await json<{
      chains: {
        chain: string;
        endpoints: { name: string; terms: { class: string; latencyPenalty: number; score: number }[] }[];
      }[];
    }>('scores');
    expect(chains[0]?.chain).toBe('local');
    const terms = chains[0]?.endpoints.find(({ name }) => name === 'good')?.terms;
    expect(terms?.map(term => term.class).sort()).toEqual(['broadcast', 'heavy', 'read']);
    const read = terms?.find(term => term.class === 'read');
    expect(read).toMatchObject({ success: 1, weight: 50 });
    expect(read?.score).toBeCloseTo((100 - (read?.latencyPenalty ?? 0)) * 50, 0);
    const words = await gateway.command('scores', 'local');
    expect(words.code).toBe(0);
    expect(words.stdout).toMatch(/wrong.*wrong_network.*\(hard\).*it says it is on 5, local is 31337/);
  });

  it('endpoint list: worst state first', async () => {
    const { endpoints } = await json<{ endpoints: { name: string; state: string }[] }>('endpoint', 'list');
    expect(endpoints.map(({ name, state }) => [name, state])).toEqual([
      ['wrong', 'wrong_network'],
      ['good', 'healthy'],
    ]);
    const words = await gateway.command('endpoint', 'list', 'local');
    expect(words.code).toBe(0);
    expect(words.stdout.trim().split('\n')).toHaveLength(3);
  });

  it('call: a request through the gateway; an error of the node ends with 1', async () => {
    const fine = await gateway.command('call', 'local', 'eth_gasPrice');
    expect(fine.code).toBe(0);
    expect(JSON.parse(fine.stdout)).toMatchObject({ result: '0x77' });
    const whole = await json<{ status: number; body: string; headers: Record<string, string> }>(
      ...['call', 'local', 'eth_gasPrice'],
    );
    expect(whole).toMatchObject({ status: 200, headers: { 'rpcgw-endpoint': 'good' } });
    const reverted = await gateway.command('call', 'local', 'eth_call', '{"to":"0x00"}', 'latest');
    expect(reverted.code).toBe(1);
    expect(JSON.parse(reverted.stdout)).toMatchObject({ error: { code: 3, data: '0x01' } });
    const [seen] = good.seen('eth_call');
    expect(seen?.params).toEqual([{ to: '0x00' }, 'latest']);
    expect((await gateway.command('call', 'nowhere', 'eth_call')).code).toBe(3);
  });

  it('events: what opened and closed, with the reason', async () => {
    const lines = await until(async () => {
      const { stdout } = await gateway.command('events', '--kind', 'wrong_network', '--json');
      return stdout !== '' && stdout.trim().split('\n');
    });
    expect(lines.map(line => JSON.parse(line) as unknown)).toMatchObject([
      {
        id: expect.any(Number),
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        kind: 'wrong_network',
        chain: 'local',
        endpoint: 'wrong',
        level: 'alarm',
        detail: { gate: 'wrong_network', shut: true, hard: true },
      },
    ]);
    const words = await gateway.command('events', '--endpoint', 'wrong');
    expect(words.stdout).toMatch(/!! wrong_network\s+local\/wrong {2}wrong network: it says it is on 5/);
  });

  it('events --kind unclassified: answers that no rule knows, without the endpoint’s secrets', async () => {
    good.on('eth_feeHistory', {
      do: 'error',
      error: { code: -39999, message: 'zorgl at http://127.0.0.1/secret-path?key=secret-key' },
    });
    await gateway.rpc('local', 'eth_feeHistory');
    const event = await until(async () => {
      const { stdout } = await gateway.command('events', '--kind', 'unclassified', '--json');
      return stdout !== '' && stdout;
    });
    expect(event).toContain('zorgl');
    expect(event).not.toContain('secret-path');
    expect(event).not.toContain('secret-key');
    good.on('eth_feeHistory', page(502));
  });
});

describe('the file mode of the socket is the right', () => {
  const on = stage();

  it('whoever may not use it is told so, with 5', async context => {
    if (process.getuid?.() !== 0) return context.skip('only root can act as another user');
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    // The folder of the place is for its owner; this command knows the socket only by its path.
    await writeFile(join(gateway.dir, 'note'), '');
    const error = errorOf(
      await runCommand(['status', '--json', '--socket', gateway.place.socket], { cwd: '/', uid: 65534 }),
    );
    expect(error).toMatchObject({ code: 'no_permission', exit: 5 });
    expect(error.why.join(' ')).toContain('no permission');
  });
});
