import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { type HostileServer, pour, startHostile } from '../kit/hostile.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { result } from '../kit/upstream.ts';
import { misdeeds } from './misdeeds.ts';

const mib = 1024 * 1024;

/** Those that only time ends are not waited for long; the others end by their bytes, however busy the machine is. */
const lasts = (name: string): string =>
  /^nothing$|^one byte|^informational|^a status line|^a chunk ext/.test(name) ? '5s' : '60s';

/** Memory of the process, bytes, as the kernel counts it. */
function residentBytes(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  return { now: kib('VmRSS') * 1024, most: kib('VmHWM') * 1024 };
}

describe('an endpoint that does its worst', () => {
  const on = stage();
  const servers = new Map<string, HostileServer>();
  let gateway: Gateway;
  let atFirst = 0;

  beforeAll(async () => {
    const chains: Record<string, unknown> = {};
    for (const [at, [name, does]] of misdeeds.entries()) {
      const chainId = 2000 + at;
      const bad = await startHostile(does, { chainId });
      on.after(() => bad.close());
      const good = await on.upstream({ chainId });
      good.on('eth_gasPrice', result('0x77'));
      servers.set(name, bad);
      chains[`c${at}`] = chainOf(
        { bad, good },
        { chainId, timeouts: { read: lasts(name) }, deadlines: { read: '2m' }, probes: { interval: '30s' } },
      );
    }
    gateway = await on.gateway({ chains });
    atFirst = residentBytes(gateway.pid).now;
  });

  it.each(misdeeds.map(([name], at) => [name, `c${at}`]))(
    '%s: the clients are answered by another one, and it is the node’s failure',
    async (name, chain) => {
      await until(async () => (await gateway.endpoint(chain, 'good')).state === 'healthy');
      const calls = Array.from({ length: 5 }, (_, id) => gateway.rpc(chain, 'eth_gasPrice', [], id));
      for (const reply of await Promise.all(calls)) {
        expect(reply.status).toBe(200);
        expect(reply.body.result).toBe('0x77');
        expect(reply.endpoint).toBe('good');
      }
      const { verdicts } = await gateway.endpoint(chain, 'bad');
      const failures = (verdicts.node_failure ?? 0) + (verdicts.transport ?? 0);
      expect(failures).toBeGreaterThan(0);
      // Only where not one byte of an answer came is it the way there that failed.
      const silent = [
        'nothing',
        'one byte of the head after the other',
        'informational answers without end',
        'a status line without end',
      ];
      if (!silent.includes(name)) expect(verdicts).toMatchObject({ node_failure: failures });
      // Nobody goes on sending to us.
      const bad = servers.get(name);
      let sent = -1;
      await until(async () => {
        const before = sent;
        sent = bad?.sent ?? 0;
        return sent === before;
      });
    },
  );

  it('has cost no memory that stays, and little for a moment', async () => {
    expect(await gateway.get('/livez')).toMatchObject({ status: 200 });
    expect((await gateway.get('/metrics')).text).toContain('\nrpcgw_held_bytes 0\n');
    const { now, most } = residentBytes(gateway.pid);
    expect(Math.round((most - atFirst) / mib)).toBeLessThan(400);
    expect(Math.round((now - atFirst) / mib)).toBeLessThan(300);
  });
});

describe('an answer that never ends, to a client that takes it', () => {
  const on = stage();

  it('passes through without being kept, and ends with the client', async () => {
    const endless = await startHostile((socket, { id }) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"jsonrpc":"2.0","id":${id},"result":"0x`,
      );
      pour(socket, () => 'a'.repeat(64 * 1024));
    });
    on.after(() => endless.close());
    const gateway = await on.gateway({ chains: { local: chainOf({ endless }) } });
    const before = residentBytes(gateway.pid).now;
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_call"}';
    const client = connect(gateway.port, '127.0.0.1');
    client.write(`POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    let got = 0;
    await new Promise<void>(resolve =>
      client.on('data', chunk => {
        got += chunk.length;
        if (got > 300 * mib) resolve();
      }),
    );
    const { most } = residentBytes(gateway.pid);
    expect(Math.round((most - before) / mib)).toBeLessThan(150);
    client.destroy();
    let sent = -1;
    await until(async () => {
      const last = sent;
      sent = endless.sent;
      return last === sent;
    });
    await until(async () => (await gateway.endpoint('local', 'endless')).inFlight === 0);
  });
});
