import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';

const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

describe('state and socket', () => {
  const on = stage();

  it('are for their owner alone', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    const { dataDir, socket } = gateway.place;
    expect(await mode(dataDir)).toBe('700');
    expect(await mode(dirname(socket))).toBe('700');
    expect(await mode(socket)).toBe('600');
    for (const name of ['rpcgw.db', 'rpcgw.db-wal', 'rpcgw.db-shm', 'rpcgw.lock'])
      expect([name, await mode(join(dataDir, name))]).toEqual([name, '600']);
  });

  it('a group may use the socket when the config says so, and nobody else', async () => {
    const upstream = await on.upstream();
    const group = process.getgid?.() ?? 0;
    const gateway = await on.gateway({ socketGroup: group, chains: { local: chainOf({ upstream }) } });
    expect(await mode(gateway.place.socket)).toBe('660');
    expect(await mode(dirname(gateway.place.socket))).toBe('750');
    expect((await stat(gateway.place.socket)).gid).toBe(group);
  });

  it('a second daemon on the same state is refused with 9, and the first goes on', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    const second = await gateway.command('serve');
    expect(second.code).toBe(9);
    expect(second.stdout).toBe('');
    expect(second.stderr).toContain(`another rpcgw uses the state in ${gateway.place.dataDir}`);
    expect(second.stderr).toContain('next: rpcgw status');
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);
    expect((await gateway.command('status')).code).toBe(0);
  });

  it('a second daemon on the same socket is refused with 9', async () => {
    const upstream = await on.upstream();
    const config = { chains: { local: chainOf({ upstream }) } };
    const gateway = await on.gateway(config);
    const other = await on.place({ ...config, socket: gateway.place.socket });
    const second = await other.command('serve');
    expect(second.code).toBe(9);
    expect(second.stderr).toContain(`another daemon listens on ${gateway.place.socket}`);
    expect((await gateway.command('status')).code).toBe(0);
    expect((await other.command('serve', '--json')).stderr).toContain('"code":"already_running"');
  });

  it('a port that is taken is said in words', async () => {
    const upstream = await on.upstream();
    const place = await on.place({
      listen: `127.0.0.1:${upstream.port}`,
      chains: { local: chainOf({ upstream }) },
    });
    const refused = await place.command('serve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`cannot listen on 127.0.0.1:${upstream.port}`);
    // Nothing of it stays: the state is free for the next start.
    await writeFile(place.file, JSON.stringify({ ...(await configOf(place.file)), listen: '127.0.0.1:0' }));
    const gateway = await on.gateway({}, { place });
    expect(await gateway.stop()).toBe(0);
  });

  it('a file where the socket should be is not removed', async () => {
    const upstream = await on.upstream();
    const place = await on.place({ chains: { local: chainOf({ upstream }) } });
    await mkdir(dirname(place.socket));
    await writeFile(place.socket, 'precious');
    const refused = await place.command('serve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${place.socket} is there and is no socket`);
    expect((await stat(place.socket)).size).toBe(8);
  });

  it('a socket that another program listens on is not taken', async () => {
    const upstream = await on.upstream();
    const place = await on.place({ chains: { local: chainOf({ upstream }) } });
    await mkdir(dirname(place.socket));
    const server = createServer(socket => socket.end());
    await new Promise<void>(resolve => server.listen(place.socket, resolve));
    expect((await place.command('serve')).code).toBe(9);
    await new Promise(resolve => server.close(resolve));
  });

  it('a state folder that cannot be written is said so, and nothing starts', async () => {
    const upstream = await on.upstream();
    const place = await on.place({ chains: { local: chainOf({ upstream }) } });
    await mkdir(place.dataDir, { mode: 0o500 });
    // For root nothing is read-only: the program runs as nobody then.
    if (isRoot) {
      await chmod(place.dir, 0o755);
      await chown(place.dir, nobody, nobody);
      await chown(place.file, nobody, nobody);
      await chown(place.dataDir, nobody, nobody);
    }
    const refused = await runCommand(['serve'], {
      cwd: place.dir,
      env: place.env,
      ...(isRoot ? { uid: nobody } : {}),
    });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toBe('');
    expect(refused.stderr).toContain(`the state in ${place.dataDir} cannot be used: there is no permission`);
    expect(refused.stderr).toContain('next: make the folder and its files writable for the user of rpcgw');
    await chmod(place.dataDir, 0o700);
  });

  it('commands say where they looked for a daemon that is not there', async () => {
    const upstream = await on.upstream();
    const place = await on.place({ chains: { local: chainOf({ upstream }) } });
    const refused = await place.command('status', '--json');
    expect(refused.code).toBe(5);
    expect(refused.stdout).toBe('');
    const { error } = JSON.parse(refused.stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: 'daemon_unreachable', exit: 5 });
    expect(error.why).toContain(`${place.socket}: is not there`);
    expect(error.next).toContain('rpcgw serve');
  });
});

async function configOf(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
}
