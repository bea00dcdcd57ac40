import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConfigFile, until } from '../kit/gateway.ts';
import { type Here, startHere } from './here.ts';

/** The file changes; what operators added stands in the store and does not change with it. */

const open: Here[] = [];
afterEach(async () => {
  for (const here of open.splice(0)) await here.remove();
});

async function running(config: ConfigFile): Promise<Here> {
  const here = await startHere(config);
  open.push(here);
  return here;
}

const chain = (allowedHosts: readonly unknown[], weight = 50): object => ({
  family: 'evm',
  chainId: 31337,
  probes: { interval: '1h' },
  endpoints: [{ name: 'own', url: 'http://127.0.0.1:9/own', weight, allowPrivate: true }],
  allowedHosts,
});
const host = { host: '127.0.0.11:9', allowPrivate: true };
const allowing = (...hosts: readonly unknown[]): ConfigFile => ({ chains: { local: chain(hosts) } });
const added = { chain: 'local', name: 'added', url: 'http://127.0.0.11:9/0a1b2c3d4e5f' };

const status = async (here: Here) => {
  const [only] = (await here.api.ask('status', { chain: 'local' })).chains;
  return { names: only?.endpoints.map(({ name }) => name), notes: only?.notes.join('\n') };
};
/** Rows of the store come a moment after what they tell. */
const alarm = (here: Here, kind: string) =>
  until(async () => (await here.api.ask('events', { kind, limit: 100 })).events.at(0));

describe('an endpoint whose host the file allows no more', () => {
  it('is not in the pool after a restart, is told of in three places, and is back when it is allowed again', async () => {
    const here = await running(allowing(host));
    await here.api.ask('endpointAdd', added);
    expect(await status(here)).toMatchObject({ names: ['own', 'added'] });
    await here.stop();

    await here.write(allowing());
    await here.start();
    expect((await status(here)).names).toEqual(['own']);
    expect((await status(here)).notes).toContain(
      'added, added at runtime, is not used: http://127.0.0.11:9 is not on the allowlist any more',
    );
    expect(await alarm(here, 'withheld')).toMatchObject({
      level: 'alarm',
      chain: 'local',
      endpoint: 'added',
    });
    const line = here.lines().find(each => each.includes('"withheld"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 'error', chain: 'local', endpoint: 'added' });
    expect(here.lines().join('')).not.toContain('0a1b2c3d4e5f');
    expect(here.rows('endpoint')).toHaveLength(1);
    await here.stop();

    await here.write(allowing(host));
    await here.start();
    expect(await status(here)).toMatchObject({ names: ['own', 'added'] });
  });

  it('keeps its name until somebody removes it', async () => {
    const here = await running(allowing(host, { host: '127.0.0.12:9', allowPrivate: true }));
    await here.api.ask('endpointAdd', added);
    await here.stop();
    await here.write(allowing({ host: '127.0.0.12:9', allowPrivate: true }));
    await here.start();
    const other = { ...added, url: 'http://127.0.0.12:9/' };
    await expect(here.api.ask('endpointAdd', other)).rejects.toMatchObject({ code: 'conflict' });
    expect(here.rows('endpoint')).toMatchObject([{ url: added.url }]);
    const dry = await here.api.ask('endpointRemove', { chain: 'local', name: 'added', dryRun: true });
    expect(dry).toMatchObject({ dryRun: true, already: false });
    expect(here.rows('endpoint')).toHaveLength(1);
    await here.api.ask('endpointRemove', { chain: 'local', name: 'added' });
    expect(here.rows('endpoint')).toEqual([]);
    await here.api.ask('endpointAdd', other);
    expect(await status(here)).toMatchObject({ names: ['own', 'added'] });
  });

  it('is withheld too where only the port, or the right to private addresses, was taken away', async () => {
    const here = await running(allowing(host));
    await here.api.ask('endpointAdd', added);
    await here.stop();
    await here.write(allowing({ host: '127.0.0.11:10', allowPrivate: true }));
    await here.start();
    expect((await status(here)).names).toEqual(['own']);
    await here.stop();
    await here.write({ chains: { local: chain(['rpc.example.com']) } });
    await here.start();
    expect((await status(here)).names).toEqual(['own']);
  });

  it('does not come with a chain that a reload brings: its allowlist is not that of the start', async () => {
    const other = chain([host]);
    const here = await running({ chains: { local: chain([]), other: { ...other, chainId: 31338 } } });
    await here.api.ask('endpointAdd', { ...added, chain: 'other' });
    await here.stop();
    await here.write({ chains: { local: chain([]) } });
    await here.start();
    await here.write({ chains: { local: chain([]), other: { ...other, chainId: 31338 } } });
    await here.api.ask('reload', {});
    const { chains } = await here.api.ask('status', { chain: 'other' });
    expect(chains[0]?.endpoints.map(({ name }) => name)).toEqual(['own']);
    expect(await alarm(here, 'withheld')).toMatchObject({
      level: 'alarm',
      chain: 'other',
      endpoint: 'added',
    });
  });
});

describe('an endpoint that weighs more than the file now allows', () => {
  it('is lowered at the start, and that is told', async () => {
    const here = await running(allowing(host));
    await here.api.ask('endpointAdd', { ...added, weight: 20 });
    await here.stop();
    await here.write({ chains: { local: chain([host], 8) } });
    await here.start();
    const shown = await here.api.ask('endpointShow', { chain: 'local', name: 'added' });
    expect(shown).toMatchObject({ weightBound: 7, settings: { weight: 7 }, endpoint: { weight: 7 } });
    expect(await alarm(here, 'weight_lowered')).toMatchObject({ level: 'alarm', endpoint: 'added' });
    expect((await status(here)).notes).toContain('weighs 7 in place of 20');
    await here.stop();
    await here.write(allowing(host));
    await here.start();
    const back = await here.api.ask('endpointShow', { chain: 'local', name: 'added' });
    expect(back).toMatchObject({ weightBound: 20, endpoint: { weight: 20 } });
  });
});

describe('a reload', () => {
  it('takes endpoints, never widens the allowlist, and says so', async () => {
    const here = await running(allowing());
    await here.write(allowing(host));
    const plan = await here.api.ask('reload', {});
    expect(plan.changes).toMatchObject([{ kind: 'hosts_changed', needsRestart: true }]);
    expect(plan.text).toContain('needs a restart');
    expect(plan.changes[0]?.text).toContain('lets more hosts in');
    await expect(here.api.ask('endpointAdd', added)).rejects.toMatchObject({ code: 'refused_by_rule' });

    // Nor by the way of an endpoint of its own.
    const more = { name: 'more', url: 'http://127.0.0.11:9/more', allowPrivate: true };
    const config = chain([]) as { endpoints: unknown[] };
    await here.write({ chains: { local: { ...config, endpoints: [...config.endpoints, more] } } });
    await here.api.ask('reload', {});
    expect(await status(here)).toMatchObject({ names: ['own', 'more'] });
    await expect(here.api.ask('endpointAdd', added)).rejects.toMatchObject({ code: 'refused_by_rule' });
    await here.stop();
    await here.start();
    await here.api.ask('endpointAdd', added);
    expect(await status(here)).toMatchObject({ names: ['own', 'more', 'added'] });
  });
});

describe('what an endpoint added at runtime may not have', () => {
  let here: Here;
  beforeAll(async () => {
    here = await startHere(allowing(host));
  });
  afterAll(() => here.remove());

  it.each([
    ['the preference for broadcasts', { broadcast: 'prefer' as const }],
    ['a header the gateway writes', { headers: { Host: 'evil.example' } }],
    ['a header that ends the request', { headers: { 'x-key': 'a\r\nhost: evil.example' } }],
    ['a header name with a space', { headers: { 'x key': 'a' } }],
    ['a header twice', { headers: { 'X-Key': 'a', 'x-key': 'b' } }],
    ['a length of its own', { headers: { 'content-length': '1' } }],
    ['a weight over the bound', { weight: 21 }],
    ['a weight under nothing', { weight: -1 }],
    ['a name with a slash', { name: 'a/b' }],
    ['a host that is not allowed', { url: 'http://127.0.0.99:9/' }],
    ['another port', { url: 'http://127.0.0.11:10/' }],
    ['the scheme’s own port', { url: 'http://127.0.0.11/' }],
  ])('%s', async (_name, part) => {
    await expect(here.api.ask('endpointAdd', { ...added, ...part })).rejects.toMatchObject({
      exit: expect.any(Number),
    });
    expect(here.rows('endpoint')).toEqual([]);
    expect(await status(here)).toMatchObject({ names: ['own'] });
  });
});
