import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';

describe('SIGHUP with more hosts in the file', () => {
  const on = stage();
  let gateway: Gateway;
  let own: Upstream;
  let other: Upstream;
  const write = (more: Readonly<Record<string, unknown>>): Promise<void> =>
    writeFile(
      gateway.place.file,
      JSON.stringify({
        listen: '127.0.0.1:0',
        dataDir: gateway.place.dataDir,
        socket: gateway.place.socket,
        drain: { delay: '0s' },
        chains: { local: chainOf({ own }, more) },
      }),
    );

  beforeAll(async () => {
    own = await on.upstream();
    other = await on.upstream();
    gateway = await on.gateway({ chains: { local: chainOf({ own }) } });
  });

  it('does not widen the allowlist, says so in log, status and event, and asks nobody; a restart does', async () => {
    await write({
      allowedHosts: [{ host: `127.0.0.1:${other.port}`, allowPrivate: true }],
      strategy: 'best',
    });
    process.kill(gateway.pid, 'SIGHUP');
    const line = await until(async () =>
      gateway.log().find(({ change }) => String(change).includes('lets more hosts in')),
    );
    expect(line.change).toContain('needs a restart');
    await until(async () => (await gateway.status()).lastReload?.text.includes('1 needs a restart'));
    await until(async () => (await gateway.events({ kind: 'reload' })).length > 0);
    expect((await gateway.command('endpoint', 'add', 'local', other.url, '--name', 'other')).code).toBe(7);
    expect((await gateway.command('test', 'local', other.url)).code).toBe(7);
    expect(other.count()).toBe(0);
    expect(await gateway.stop()).toBe(0);
    await gateway.restart();
    expect((await gateway.command('endpoint', 'add', 'local', other.url, '--name', 'other')).code).toBe(0);
  });

  it('with fewer, the host is out after the restart, and not before', async () => {
    await write({});
    process.kill(gateway.pid, 'SIGHUP');
    await until(async () => (await gateway.status()).lastReload?.text.includes('needs a restart'));
    expect((await gateway.endpoint('local', 'other')).origin).toBe('runtime');
    await gateway.stop();
    await gateway.restart();
    expect((await gateway.status()).chains[0]?.endpoints.map(({ name }) => name)).toEqual(['own']);
    const before = other.count();
    expect((await gateway.command('test', 'local', other.url)).code).toBe(7);
    expect(other.count()).toBe(before);
  });
});
