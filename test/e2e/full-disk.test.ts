import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { askedOften, chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';

/** A small file system of its own, when this user may mount one; in user namespaces and containers he often may not. */
function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  const block = Buffer.alloc(4096);
  try {
    for (;;) writeSync(descriptor, block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** The same for a process that may write no byte any more: a limit of its own, which needs no privilege. */
function limitWrites(pid: number, bytes: number | 'unlimited'): boolean {
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** An endpoint that falls behind and catches up, again and again, is something to write down each time. */
async function failingStore(gateway: Gateway, uneasy: Upstream): Promise<{ readonly reason: string | null }> {
  const failing = await until(async () => {
    uneasy.height = uneasy.height === 100 ? 50 : 100;
    const { store } = await gateway.status();
    return !store.ok && store;
  });
  // One more thing that happens while nothing can be written.
  uneasy.height = 50;
  await until(async () => (await gateway.endpoint('local', 'uneasy')).state === 'stale');
  return failing;
}

describe('a disk that is full', () => {
  const on = stage();

  it('while running: reads go on, it shows everywhere, broadcasts are refused, and it passes', async context => {
    const [upstream, spare, uneasy] = (await on.upstreams(3)) as [Upstream, Upstream, Upstream];
    const place = await on.place({ chains: { local: chainOf({ upstream, spare, uneasy }, askedOften) } });
    await mkdir(place.dataDir, { mode: 0o700 });
    if (!mount(place.dataDir)) return context.skip('this user may not mount a file system');
    on.after(async () => execFileSync('umount', [place.dataDir]));
    const gateway = await on.gateway({}, { place });
    expect((await gateway.status()).store).toEqual({ ok: true, reason: null, since: null });

    const filler = join(place.dataDir, 'filler');
    fill(filler);
    const failing = await failingStore(gateway, uneasy);
    expect(failing.reason).toContain('the disk is full');

    const ready = await gateway.get('/readyz');
    expect(ready.text).toMatch(/\[!\] store: the disk is full .*; broadcasts are refused, reads go on/);
    expect((await gateway.get('/metrics')).text).toContain('\nrpcgw_store_ok 0\n');
    const text = await gateway.command('status');
    expect(text.stdout).toMatch(/the store cannot be written: the disk is full/);
    await until(async () =>
      gateway.log().some(({ msg }) => msg === 'the store cannot be written, broadcasts are refused'),
    );
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);

    const broadcast = await gateway.rpc('local', 'eth_sendRawTransaction', ['0x00']);
    expect(broadcast.status).toBe(200);
    expect(broadcast.body.error).toMatchObject({
      code: -32000,
      data: { source: 'rpcgw', reason: 'not_sent' },
    });
    expect(upstream.count('eth_sendRawTransaction')).toBe(0);
    const add = await gateway.command(
      ...['endpoint', 'add', 'local', upstream.url, '--name', 'other', '--json'],
    );
    expect(add.code).toBe(1);
    expect(JSON.parse(add.stderr)).toMatchObject({ error: { code: 'store_unusable' } });

    rmSync(filler);
    await until(async () => (await gateway.status()).store.ok);
    expect((await gateway.get('/readyz')).text).toContain('[+] store');
    await until(async () => gateway.log().some(({ msg }) => msg === 'the store takes rows again'));
    expect(await gateway.stop()).toBe(0);
  });

  it('or reports errors while running: the same', async context => {
    const [upstream, spare, uneasy] = (await on.upstreams(3)) as [Upstream, Upstream, Upstream];
    const gateway = await on.gateway({
      chains: { local: chainOf({ upstream, spare, uneasy }, askedOften) },
    });
    if (!limitWrites(gateway.pid, 1)) return context.skip('this system cannot limit what a process writes');
    const failing = await failingStore(gateway, uneasy);
    expect(failing.reason).toMatch(/the disk (?:is full|reports an error)/);
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);
    const broadcast = await gateway.rpc('local', 'eth_sendRawTransaction', ['0x00']);
    expect(broadcast.body.error).toMatchObject({ code: -32000, data: { reason: 'not_sent' } });
    expect(upstream.count('eth_sendRawTransaction')).toBe(0);
    limitWrites(gateway.pid, 'unlimited');
    await until(async () => (await gateway.status()).store.ok);
    // What happened meanwhile is not lost.
    await until(async () => (await gateway.events({ kind: 'stale', endpoint: 'uneasy' })).length > 0);
  });

  it('at the start: it is said so, and nothing starts', async context => {
    const upstream = await on.upstream();
    const place = await on.place({ chains: { local: chainOf({ upstream }) } });
    await mkdir(place.dataDir, { mode: 0o700 });
    if (!mount(place.dataDir)) return context.skip('this user may not mount a file system');
    on.after(async () => execFileSync('umount', [place.dataDir]));
    fill(join(place.dataDir, 'filler'));
    const refused = await place.command('serve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('the disk is full');
    expect(refused.stderr).toContain('free space on the disk that holds it');
  });
});
