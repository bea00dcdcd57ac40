import { beforeAll, describe, expect, it } from 'vitest';
import type { Done, EndpointDetail, RouteInput } from '../../src/api/contract.ts';
import type { AuditEntry } from '../../src/api/history-shapes.ts';
import { OperatorError } from '../../src/core/errors.ts';
import { type Finished, type Gateway, until } from '../kit/gateway.ts';
import { expectShape } from '../kit/shapes.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result, type Upstream } from '../kit/upstream.ts';

function errorOf({ code, stdout, stderr }: Finished): { code: string; message: string; exit: number } {
  expect(stdout).toBe('');
  const value = JSON.parse(stderr) as { error: { code: string; message: string; exit: number } };
  expectShape('error', value);
  expect(value.error.exit).toBe(code);
  return value.error;
}

/** What a command that changes something prints, or the code of its refusal. */
async function run(
  gateway: Gateway,
  ...args: readonly string[]
): Promise<Partial<Done> | { refused: string; exit: number }> {
  const finished = await gateway.command(...args, '--json');
  if (finished.code !== 0) {
    const { code, exit } = errorOf(finished);
    return { refused: code, exit };
  }
  const value = JSON.parse(finished.stdout) as Done;
  expectShape('done', value);
  return value;
}

/** The same over the socket, without a process for each. */
async function told(asked: Promise<Done>): Promise<Partial<Done> | { refused: string }> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OperatorError) return { refused: error.code };
    throw error;
  }
}

const audit = async (gateway: Gateway): Promise<readonly AuditEntry[]> =>
  (await gateway.api.ask('auditList', { limit: 1000 })).rows;

describe('weights at runtime', () => {
  const on = stage();
  let gateway: Gateway;

  beforeAll(async () => {
    const [heavy, light, added] = (await on.upstreams(3)) as [Upstream, Upstream, Upstream];
    gateway = await on.gateway({
      chains: {
        local: {
          ...chainOf({}, { allowedHosts: [{ host: `127.0.0.1:${added.port}`, allowPrivate: true }] }),
          endpoints: [
            { name: 'heavy', url: heavy.url, allowPrivate: true, weight: 60 },
            { name: 'light', url: light.url, allowPrivate: true, weight: 5 },
          ],
        },
      },
    });
    await gateway.api.ask('endpointAdd', { chain: 'local', url: added.url, name: 'added' });
  });

  type Wanted = Omit<RouteInput<'endpointSet'>, 'chain' | 'name'>;
  const set = (name: string, wanted: Wanted) =>
    told(gateway.api.ask('endpointSet', { chain: 'local', name, ...wanted }));
  const weight = async (name: string): Promise<number> => (await gateway.endpoint('local', name)).weight;
  const restart = async (): Promise<void> => {
    expect(await gateway.stop('SIGKILL')).toBeNull();
    await gateway.restart();
  };

  it('are given as numbers, steps and shares, and said twice they say already', async () => {
    const heavy = ['endpoint', 'set', 'local', 'heavy', '--weight'] as const;
    expect(await run(gateway, ...heavy, '40')).toMatchObject({ text: 'local/heavy: weight 60 → 40' });
    expect(await run(gateway, ...heavy, '40')).toMatchObject({ already: true });
    expect(await run(gateway, ...heavy, '-10')).toMatchObject({ text: 'local/heavy: weight 40 → 30' });
    expect(await set('heavy', { weight: '+10' })).toMatchObject({ text: 'local/heavy: weight 30 → 40' });
    expect(await set('heavy', { weight: '50%' })).toMatchObject({ text: 'local/heavy: weight 40 → 30' });
    expect(await weight('heavy')).toBe(30);
    expect(await set('heavy', { reset: true })).toMatchObject({ already: false });
    expect(await set('heavy', { reset: true })).toMatchObject({ already: true });
    expect(await weight('heavy')).toBe(60);
  });

  it.each([
    ['heavy', '61', 'a command gives no more than the file'],
    ['heavy', '+1', 'in steps neither'],
    ['heavy', '-61', 'nor less than nothing'],
    ['light', '21', 'where the file gives less than 20, 20 is the most'],
    ['added', '21', 'at runtime 20 is the most'],
    ['added', '+11', 'in steps neither'],
    ['added', '300%', 'nor by shares'],
  ])('%s does not get %s: %s', async (name, wanted) => {
    const before = await weight(name);
    expect(await set(name, { weight: wanted })).toEqual({ refused: 'refused_by_rule' });
    expect(await set(name, { weight: wanted, force: true })).toEqual({ refused: 'refused_by_rule' });
    expect(await weight(name)).toBe(before);
  });

  it('are not taken when they mean nothing, or two things', async () => {
    const heavy = ['endpoint', 'set', 'local', 'heavy'] as const;
    expect(await run(gateway, ...heavy, '--weight', 'much')).toMatchObject({ exit: 2 });
    expect(await run(gateway, ...heavy, '--weight', '5', '--reset')).toMatchObject({ exit: 2 });
    expect(await run(gateway, ...heavy, '--weight', '5', '--for', '5')).toMatchObject({ exit: 2 });
    expect(await set('heavy', { forMs: 5000 })).toEqual({ refused: 'usage' });
    expect(await set('heavy', {})).toEqual({ refused: 'usage' });
    expect(await set('heavi', { weight: '5' })).toEqual({ refused: 'no_such_endpoint' });
  });

  it('of what was added stay below the highest of the file as it is now', async () => {
    await set('heavy', { weight: '4' });
    expect(await weight('added')).toBe(4);
    await set('light', { weight: '3' });
    expect(await weight('added')).toBe(3);
    await set('light', { reset: true });
    await set('heavy', { reset: true });
    expect(await weight('added')).toBe(10);
  });

  it('for a while hold over a restart, and go back by themselves over another: that is no raise', async () => {
    const args = ['endpoint', 'set', 'local', 'heavy', '--weight', '10', '--for'] as const;
    expect(await run(gateway, ...args, '1h')).toMatchObject({
      text: 'local/heavy: weight 60 → 10 for 1h, then back to 60',
    });
    await restart();
    expect(await weight('heavy')).toBe(10);
    const shown = await gateway.json<EndpointDetail>('endpoint', 'show', 'local', 'heavy');
    expectShape('endpointDetail', shown);
    expect(shown.overrides).toMatchObject([{ what: 'weight', value: 10, until: expect.any(String) }]);
    expect(await set('heavy', { weight: '10', forMs: 1000 })).toMatchObject({ already: false });
    await restart();
    await until(async () => (await weight('heavy')) === 60);
    const rows = await until(async () => {
      const all = await audit(gateway);
      return all.some(({ action }) => action === 'end of weight') && all;
    });
    expect(rows.find(({ action }) => action === 'end of weight')).toMatchObject({
      who: 'rpcgw',
      target: 'heavy',
    });
    const detail = await gateway.api.ask('endpointShow', { chain: 'local', name: 'heavy' });
    expect(detail.overrides).toEqual([]);
  });

  it('hold over restarts when no end was named', async () => {
    await set('heavy', { weight: '7' });
    await set('added', { weight: '2' });
    await restart();
    expect([await weight('heavy'), await weight('added')]).toEqual([7, 2]);
    await set('added', { weight: '+5' });
    // Below the 7 that the highest of the file has now.
    expect(await weight('added')).toBe(6);
    await set('heavy', { reset: true });
    expect(await weight('added')).toBe(7);
  });

  it('hold their bound in a race: steps add up one after the other', async () => {
    await set('added', { weight: '2' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => set('added', { weight: '+3' })));
    expect(answers.filter(answer => 'already' in answer)).toHaveLength(6);
    expect(await weight('added')).toBe(20);
  });

  it('and other settings are the file’s for what is in the file, an operator’s for what was added', async () => {
    expect(await set('heavy', { rps: 5 })).toEqual({ refused: 'refused_by_rule' });
    const given = [
      '--rps',
      '5',
      '--max-in-flight',
      '9',
      '--roles',
      'read',
      '--label',
      'provider=x',
      'region=eu',
    ];
    expect(await run(gateway, 'endpoint', 'set', 'local', 'added', ...given)).toMatchObject({
      already: false,
    });
    await restart();
    const shown = async () =>
      (await gateway.api.ask('endpointShow', { chain: 'local', name: 'added' })).settings;
    expect(await shown()).toMatchObject({
      rps: 5,
      maxInFlight: 9,
      roles: ['read'],
      labels: { provider: 'x', region: 'eu' },
    });
    expect(await set('added', { rps: null })).toMatchObject({ already: false });
    expect(await shown()).toMatchObject({ rps: null, roles: ['read'] });
  });

  it('every change, refusal and repetition is a row of a whole audit', async () => {
    const rows = await audit(gateway);
    const count = (wanted: AuditEntry['result']): number =>
      rows.filter(({ result: is }) => is === wanted).length;
    expect(count('done')).toBeGreaterThan(15);
    expect(count('refused')).toBeGreaterThan(10);
    expect(count('already')).toBeGreaterThanOrEqual(2);
    expect(rows.find(({ after }) => after?.weight === 40)).toMatchObject({
      action: 'endpoint set',
      before: { weight: 60 },
      chain: 'local',
      target: 'heavy',
    });
    expect(await gateway.api.ask('auditVerify', {})).toMatchObject({ sound: true, rows: rows.length });
  });
});

describe('draining, disabling, enabling', () => {
  const on = stage();
  let a: Upstream;
  let b: Upstream;
  let gateway: Gateway;

  beforeAll(async () => {
    [a, b] = (await on.upstreams(2)) as [Upstream, Upstream];
    gateway = await on.gateway({ chains: { local: chainOf({ a, b }) } });
  });

  const act = (what: string, name: string, ...more: readonly string[]) =>
    run(gateway, 'endpoint', what, 'local', name, ...more);

  it('a drained endpoint gets no new traffic, keeps what is in flight, and the wait ends with it', async () => {
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
    const slow = gateway.rpc('local', 'eth_call', [{}, 'latest']);
    await until(async () => a.count('eth_call') === 1);

    const drain = ['endpoint', 'drain', 'local', 'a', '--wait', '--timeout', '300ms'] as const;
    const short = await gateway.command(...drain, '--json');
    expect(errorOf(short)).toMatchObject({ code: 'wait_timeout', exit: 8 });
    // A question of the gateway's own may be in flight beside it for a moment: those go on, and count.
    await until(async () => (await gateway.endpoint('local', 'a')).inFlight === 1);
    expect(await gateway.endpoint('local', 'a')).toMatchObject({
      state: 'draining',
      next: 'enable it: rpcgw endpoint enable local a',
    });
    expect((await gateway.rpc('local', 'eth_gasPrice')).endpoint).toBe('b');

    const waiting = act('drain', 'a', '--wait');
    held.resolve();
    expect(await waiting).toMatchObject({ already: true, text: 'local/a: drained, nothing in flight' });
    expect((await slow).body.result).toBe('0xa');
    expect(await act('enable', 'a')).toMatchObject({ already: false });
    expect(await act('enable', 'a')).toMatchObject({ already: true });
  });

  it('a dry run says what would be and changes nothing, and is refused where the run would be', async () => {
    expect(await act('drain', 'a', '--dry-run')).toMatchObject({ dryRun: true, already: false });
    expect((await gateway.endpoint('local', 'a')).state).toBe('healthy');
    const before = (await audit(gateway)).length;
    expect(await act('disable', 'b', '--dry-run')).toMatchObject({ dryRun: true });
    expect(await act('remove', 'b', '--dry-run')).toMatchObject({ exit: 7 });
    expect((await audit(gateway)).length).toBe(before);
  });

  it('the last usable endpoint goes only with --force, whatever it is called', async () => {
    expect(await act('disable', 'b')).toMatchObject({ already: false });
    expect(await act('disable', 'b')).toMatchObject({ already: true });
    expect(await act('drain', 'a')).toMatchObject({ exit: 7, refused: 'refused_by_rule' });
    expect(await act('disable', 'a')).toMatchObject({ exit: 7, refused: 'refused_by_rule' });
    expect(await act('set', 'a', '--weight', '0')).toMatchObject({ exit: 7 });
    expect(await act('drain', 'a', '--force')).toMatchObject({ already: false });
    expect((await gateway.rpc('local', 'eth_gasPrice')).body.error).toMatchObject({ code: -32004 });
    expect((await gateway.command('status', 'local')).code).toBe(1);
    expect(await act('enable', 'a')).toMatchObject({ already: false });
    expect(await act('enable', 'b')).toMatchObject({ already: false });
  });

  it('for a while: comes back by itself', async () => {
    expect(await act('disable', 'b', '--for', '1s')).toMatchObject({
      text: 'local/b: disabled for 1s: no traffic, no probes',
      endpoint: { state: 'disabled' },
    });
    await until(async () => (await gateway.endpoint('local', 'b')).state === 'healthy');
    await until(async () => (await gateway.events({ kind: 'switch_over', endpoint: 'b' })).length === 1);
  });

  it('holds over a restart', async () => {
    await act('drain', 'b');
    expect(await gateway.stop('SIGKILL')).toBeNull();
    await gateway.restart();
    expect((await gateway.endpoint('local', 'b')).state).toBe('draining');
  });
});

describe('a chain is never left to endpoints that were added at runtime', () => {
  const on = stage();
  let gateway: Gateway;
  let added: Upstream;

  beforeAll(async () => {
    const [own, other] = (await on.upstreams(2)) as [Upstream, Upstream];
    added = other;
    gateway = await on.gateway({
      chains: {
        local: chainOf({ own }, { allowedHosts: [{ host: `127.0.0.1:${added.port}`, allowPrivate: true }] }),
      },
    });
    await gateway.api.ask('endpointAdd', { chain: 'local', url: added.url, name: 'added' });
  });

  it.each([
    ['drain', 'own', '--force'],
    ['disable', 'own', '--force'],
    ['set', 'own', '--force', '--weight', '0'],
  ])('by endpoint %s %s %s', async (what, name, ...more) => {
    const finished = await gateway.command('endpoint', what, 'local', name, ...more, '--json');
    expect(errorOf(finished)).toMatchObject({ code: 'refused_by_rule', exit: 7 });
    expect(finished.stderr).toContain('runtime endpoints alone');
    expect((await gateway.endpoint('local', 'own')).state).toBe('healthy');
  });

  it('nor by switching off the file first and adding one then', async () => {
    const act = (...args: readonly string[]) => run(gateway, 'endpoint', ...args);
    expect(await act('remove', 'local', 'added', '--yes')).toMatchObject({ already: false });
    expect(await act('remove', 'local', 'added', '--yes')).toMatchObject({ already: true });
    expect(await act('disable', 'local', 'own', '--force')).toMatchObject({ already: false });
    const add = ['add', 'local', added.url, '--name', 'again'] as const;
    expect(await act(...add)).toMatchObject({ exit: 7, refused: 'refused_by_rule' });
    expect(await act('enable', 'local', 'own')).toMatchObject({ already: false });
    expect(await act(...add)).toMatchObject({ already: false });
  });
});
