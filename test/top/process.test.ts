import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeDaemon, fakeDaemon } from '../kit/fake-daemon.ts';
import { ago, fakeEvent, troubledStatus } from '../kit/fake-status.ts';
import { feedWithUnknown } from './scenes.ts';

// The built program, as it is typed into a pipe or a script: `pretest` builds it.
const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));

let dir: string;
let daemon: FakeDaemon;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rpcgw-top-'));
  daemon = await fakeDaemon(join(dir, 's'), {
    status: () => feedWithUnknown.status,
    events: () => ({ events: [fakeEvent({ id: 1, text: 'something happened' })] }),
    broadcasts: () => ({ now: ago(0), broadcasts: feedWithUnknown.broadcasts.slice(0, 1) }),
  });
});

afterEach(async () => {
  await daemon.close();
  await rm(dir, { recursive: true, force: true });
});

function top(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number; out: string; err: string }>(resolve => {
    execFile(
      process.execPath,
      [bin, 'top', '--socket', join(dir, 's'), ...args],
      { env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env } },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

it('prints one frame into a pipe and ends well', async () => {
  const { code, out, err } = await top([]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('eth-new       ✖ wrong network');
  expect(out).toContain('1 BROADCAST UNKNOWN');
  // The whole id: it is to be searched for.
  expect(out).toContain(feedWithUnknown.broadcasts[0]?.txId);
  expect(out).not.toContain(String.fromCharCode(27));
});

it('prints plain letters where the locale has no others', async () => {
  const { out } = await top(['--once'], { LANG: 'C' });
  expect(out).toContain('eth-new       X wrong network');
  expect(out).toMatch(/^[\n -~]*$/);
});

it('prints colours into a pipe only when told to', async () => {
  const { out } = await top(['--once', '--color', 'always']);
  expect(out).toContain(`${String.fromCharCode(27)}[1m`);
});

it('prints the status itself as JSON', async () => {
  const { code, out } = await top(['--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(feedWithUnknown.status);
});

it('names the interval that it does not take', async () => {
  const { code, err } = await top(['--interval', '10ms']);
  expect(code).toBe(2);
  expect(err).toContain('--interval takes a span from 200ms to 60s');
});

it('says that nobody listens, and what to type', async () => {
  await daemon.close();
  const { code, err } = await top([]);
  expect(code).toBe(5);
  expect(err).toContain('rpcgw serve');
  daemon = await fakeDaemon(join(dir, 's'), { status: troubledStatus });
});
