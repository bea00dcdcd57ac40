import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { apiClient } from '../../src/api/client.ts';
import { type AdminServer, type Handlers, serveAdmin } from '../../src/api/server.ts';
import { until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-socket-'));
  ends.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Only what a test asks; the routes are the real ones. */
const handlers = new Proxy({} as Handlers, {
  get: (_, name) =>
    name === 'health' ? () => ({ ok: true }) : () => Promise.reject(new Error('not asked here')),
});

async function serving(path: string, options: Parameters<typeof serveAdmin>[2] = {}): Promise<AdminServer> {
  const server = await serveAdmin(path, handlers, options);
  ends.push(() => server.close());
  return server;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Runs with the mask that leaves everything open, as a careless service manager would start us. */
async function openToAll<T>(run: () => Promise<T>): Promise<T> {
  const before = process.umask(0);
  try {
    return await run();
  } finally {
    process.umask(before);
  }
}

describe('the socket', () => {
  it('is 0600 in a folder of 0700, whatever the mask of the process', async () => {
    const dir = await folder();
    const path = join(dir, 'deep', 'er', 'rpcgw.sock');
    await openToAll(() => serving(path));
    expect([modeOf(path), modeOf(join(dir, 'deep', 'er')), modeOf(join(dir, 'deep'))]).toEqual([
      '600',
      '700',
      '700',
    ]);
    expect(statSync(path).isSocket()).toBe(true);
    expect(await apiClient([path]).ask('health', {})).toEqual({ ok: true });
  });

  it('is 0660 in a folder of 0750 where a group is named', async () => {
    const dir = await folder();
    const path = join(dir, 'shared', 'rpcgw.sock');
    await openToAll(() => serving(path, { groupId: process.getgid?.() ?? 0 }));
    expect([modeOf(path), modeOf(join(dir, 'shared'))]).toEqual(['660', '750']);
  });

  it('is never open for a moment while it is made', async () => {
    const dir = await folder();
    const path = join(dir, 'in', 'rpcgw.sock');
    const code = `
      const { lstatSync } = require('node:fs');
      const { parentPort, workerData } = require('node:worker_threads');
      const { path, folder, stop } = workerData;
      const flag = new Int32Array(stop);
      const seen = new Set();
      parentPort.postMessage('looking');
      let looks = 0;
      while (Atomics.load(flag, 0) === 0) {
        for (const each of [path, folder]) {
          const found = lstatSync(each, { throwIfNoEntry: false });
          if (found !== undefined) seen.add((each === path ? 'socket ' : 'folder ') + (found.mode & 0o777).toString(8));
        }
        looks += 1;
      }
      parentPort.postMessage({ seen: [...seen], looks });`;
    const stop = new SharedArrayBuffer(4);
    const watcher = new Worker(code, { eval: true, workerData: { path, folder: join(dir, 'in'), stop } });
    await new Promise(resolve => watcher.once('message', resolve));
    const told = new Promise<{ seen: string[]; looks: number }>(resolve => watcher.once('message', resolve));
    for (let n = 0; n < 100; n += 1) {
      const server = await openToAll(() => serveAdmin(path, handlers));
      await server.close();
      await rm(join(dir, 'in'), { recursive: true });
    }
    Atomics.store(new Int32Array(stop), 0, 1);
    const { seen, looks } = await told;
    await watcher.terminate();
    expect(looks).toBeGreaterThan(100);
    expect(seen.sort()).toEqual(['folder 700', 'socket 600']);
  });

  it.each([
    ['everybody', 0o777],
    ['everybody, with the sticky bit', 0o1777],
    ['its group', 0o770],
  ])('is not made where %s may write', async (_name, mode) => {
    const dir = join(await folder(), 'open');
    await mkdir(dir);
    await chmod(dir, mode);
    await expect(serveAdmin(join(dir, 'rpcgw.sock'), handlers)).rejects.toMatchObject({
      code: 'listen_failed',
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('does not take the place of a file, a folder, a link or a living socket', async () => {
    const dir = await folder();
    const at = (name: string): string => join(dir, name);
    await writeFile(at('file'), 'kept');
    await mkdir(at('folder'));
    await symlink(at('file'), at('link'));
    for (const name of ['file', 'folder', 'link'])
      await expect(serveAdmin(at(name), handlers)).rejects.toMatchObject({ code: 'listen_failed' });
    expect(readFileSync(at('file'), 'utf8')).toBe('kept');
    expect(readlinkSync(at('link'))).toBe(at('file'));
    const other = createServer();
    await new Promise<void>(resolve => other.listen(at('alive'), resolve));
    ends.push(() => new Promise(resolve => other.close(resolve)));
    await expect(serveAdmin(at('alive'), handlers)).rejects.toMatchObject({ code: 'already_running' });
  });
});

describe('what comes in over the socket', () => {
  const exchange = (path: string, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(path, () => socket.write(text));
      let answer = '';
      socket.on('data', chunk => (answer += chunk.toString('latin1')));
      socket.once('close', () => resolve(answer));
      socket.once('error', error => (answer === '' ? reject(error) : resolve(answer)));
    });
  const post = (body: string, ...more: string[]): string =>
    [`POST /v1/endpoint/add HTTP/1.1`, 'host: a', 'connection: close', ...more, '', body].join('\r\n');

  it('is a request of at most 1 MiB', async () => {
    const path = join(await folder(), 's', 'rpcgw.sock');
    await serving(path);
    const body = `{"url":"${'a'.repeat(1024 * 1024)}"}`;
    expect(await exchange(path, post(body, `content-length: ${body.length}`))).toMatch(/^HTTP\/1\.1 400 /);
    const open = `${(2 * 1024 * 1024).toString(16)}\r\n${'a'.repeat(2 * 1024 * 1024)}`;
    expect(await exchange(path, post(open, 'transfer-encoding: chunked'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('has a head of at most 16 KiB', async () => {
    const path = join(await folder(), 's', 'rpcgw.sock');
    await serving(path);
    expect(await exchange(path, post('{}', `x: ${'a'.repeat(17 * 1024)}`, 'content-length: 2'))).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'POST /v1/reload HTTP/1.1\r\nhost: a\r\n'],
    ['half a body', 'POST /v1/reload HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{'],
  ])('has to be whole in time: %s is let go', async (_name, text) => {
    const path = join(await folder(), 's', 'rpcgw.sock');
    await serving(path, { headMs: 100, requestMs: 200 });
    expect(await exchange(path, text)).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it.each([
    ['no JSON', post('{', 'content-length: 1')],
    ['a list', post('[]', 'content-length: 2')],
    ['a text', post('"a"', 'content-length: 3')],
    ['nothing', post('null', 'content-length: 4')],
    ['a number too long', post('1e999', 'content-length: 5')],
    ['JSON without end', post(`${'['.repeat(100_000)}`, 'content-length: 100000')],
    ['JSON of 100,000 levels', post(`${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'content-length: 200000')],
    ['a call of 65 levels', post(`{"params":${'['.repeat(64)}${']'.repeat(64)}}`, 'content-length: 139')],
    [
      'a moment past all dates',
      'GET /v1/report?sinceMs=8640000000000001 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    ],
    ['a prototype', post('{"__proto__":{"chain":"a"}}', 'content-length: 27')],
    ['another verb', 'PUT /v1/reload HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a GET of a change', 'GET /v1/reload HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a path of no route', 'GET /v1/nothing HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a path with dots', 'GET /v1/../etc/passwd HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a target that is no URL', 'GET //[ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    ['a name like one of the runtime', 'GET /constructor HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
  ])('is refused when it is %s', async (_name, text) => {
    const path = join(await folder(), 's', 'rpcgw.sock');
    await serving(path);
    const answer = await exchange(path, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"bad_admin_request"');
    expect(answer).not.toMatch(/\n\s+at /);
    expect(await apiClient([path]).ask('health', {})).toEqual({ ok: true });
  });

  it('is one of few connections: a flood does not grow without bound', async () => {
    const path = join(await folder(), 's', 'rpcgw.sock');
    await serving(path);
    const flood: Socket[] = [];
    let dropped = 0;
    for (let n = 0; n < 400; n += 1) {
      const socket = connect(path);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        dropped += 1;
      });
      flood.push(socket);
    }
    await until(async () => dropped >= 144);
    for (const socket of flood) socket.destroy();
    await until(async () => {
      const answer = await apiClient([path])
        .ask('health', {})
        .catch(() => undefined);
      return answer?.ok;
    });
  });
});

/** What a process listens on, over the network. */
function heard(pid: number): { readonly tcp: unknown[][]; readonly udp: string[] } {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap(fd => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        // Closed between the two looks.
        return [];
      }
    }),
  );
  const tcp = ['tcp', 'tcp6'].flatMap(kind =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .map(line => line.trim().split(/\s+/))
      // State 0A: listening. Field 10 is the inode.
      .filter(field => field[3] === '0A' && inodes.has(field[9] ?? ''))
      .map(field => [field[1]?.split(':')[0], Number.parseInt(field[1]?.split(':')[1] ?? '', 16)]),
  );
  const udp = ['udp', 'udp6', 'raw', 'raw6'].flatMap(kind =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .filter(line => inodes.has(line.trim().split(/\s+/)[9] ?? '')),
  );
  return { tcp, udp };
}

describe('the program', () => {
  const on = stage();

  it('listens on one TCP port and one socket, and all it writes is its owner’s alone', async () => {
    const upstream = await on.upstream();
    const gateway = await openToAll(() => on.gateway({ chains: { local: chainOf({ upstream }) } }));
    await gateway.rpc('local', 'eth_sendRawTransaction', ['0x00']);
    const { tcp, udp } = heard(gateway.pid);
    expect(tcp).toEqual([['0100007F', gateway.port]]);
    expect(udp).toEqual([]);
    const { dataDir, socket } = gateway.place;
    expect(modeOf(dataDir)).toBe('700');
    const files = readdirSync(dataDir);
    expect(files).toContain('rpcgw.db-wal');
    for (const file of files) expect([file, modeOf(join(dataDir, file))]).toEqual([file, '600']);
    expect(modeOf(socket)).toBe('600');
    expect(modeOf(join(socket, '..'))).toBe('700');
  });

  it('opens no debugger when it is sent a signal for one', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    process.kill(gateway.pid, 'SIGUSR1');
    // The signals are taken in order: the second one has its effect after the first.
    process.kill(gateway.pid, 'SIGHUP');
    await until(async () => (await gateway.status()).lastReload !== null);
    expect(heard(gateway.pid).tcp).toEqual([['0100007F', gateway.port]]);
    expect(gateway.output()).not.toContain('Debugger');
  });
});
