import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemdNotify, watchdogMs } from '../../src/io/systemd-notify.ts';
import { until } from '../kit/gateway.ts';

describe('systemd is told by its own program', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rpcgw-test-'));
    // Stands in for systemd's: writes down how it was called, and with which environment.
    const program = join(dir, 'systemd-notify');
    await writeFile(
      program,
      `#!/bin/sh\n{ echo "$@"; env; } > "${dir}/new" && mv "${dir}/new" "${dir}/called"\n`,
    );
    await chmod(program, 0o755);
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('with the pid of the daemon, without waiting, and with nothing secret around', async () => {
    const env = {
      NOTIFY_SOCKET: '/run/systemd/notify',
      PATH: `${dir}${delimiter}${process.env.PATH}`,
      INFURA_KEY: 'planted',
    };
    const failed: string[] = [];
    systemdNotify(
      env,
      4711,
      why => void failed.push(why),
    )?.('READY=1', 'STATUS=1 chain, 2/2 endpoints usable');
    const called = await until(() => readFile(join(dir, 'called'), 'utf8').catch(() => undefined));
    expect(called.split('\n')[0]).toBe('--no-block --pid=4711 READY=1 STATUS=1 chain, 2/2 endpoints usable');
    expect(called).toContain('NOTIFY_SOCKET=/run/systemd/notify');
    expect(called).not.toContain('planted');
    expect(failed).toEqual([]);
  });

  it('a host without the program is told of, and nothing else happens', async () => {
    const why = Promise.withResolvers<string>();
    systemdNotify({ NOTIFY_SOCKET: '/run/n', PATH: join(dir, 'nowhere') }, 1, why.resolve)?.('READY=1');
    expect(await why.promise).toContain('ENOENT');
  });

  it.each([undefined, ''])('not at all where no supervisor asks (%j)', socket => {
    const env = socket === undefined ? {} : { NOTIFY_SOCKET: socket };
    expect(systemdNotify(env, 1, () => undefined)).toBeUndefined();
  });
});

it.each([
  [{}, undefined],
  [{ WATCHDOG_USEC: '30000000' }, 30_000],
  [{ WATCHDOG_USEC: '0' }, undefined],
  [{ WATCHDOG_USEC: 'soon' }, undefined],
])('the watchdog of %j waits %j ms', (env, ms) => {
  expect(watchdogMs(env)).toBe(ms);
});
