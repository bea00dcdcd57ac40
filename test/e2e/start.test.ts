import { describe, expect, it } from 'vitest';
import { until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';

describe('serve', () => {
  const on = stage();

  it('says where it listens at once, and that it is ready when every endpoint was asked who it is', async () => {
    const [right, wrong] = [await on.upstream(), await on.upstream({ chainId: 2 })];
    const gone = { url: 'http://127.0.0.1:9' };
    const gateway = await on.gateway({ chains: { local: chainOf({ right, wrong, gone }) } });
    const log = gateway.log();
    const words = log.map(({ msg }) => msg);
    expect(words.indexOf('listening')).toBeLessThan(words.indexOf('ready'));
    expect(log.find(({ msg }) => msg === 'listening')).toMatchObject({
      level: 'info',
      url: gateway.url,
      socket: gateway.place.socket,
      pid: gateway.pid,
      version: expect.any(String),
    });
    expect(log.find(({ msg }) => msg === 'ready')).toMatchObject({
      url: gateway.url,
      chains: 1,
      endpoints: 3,
      usable: 1,
    });
    // Every line is one JSON object, on stderr.
    for (const line of gateway.output().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  it('is up, and not ready, when no endpoint answers; and ready by itself when one does', async () => {
    const upstream = await on.upstream();
    upstream.always({ do: 'reset' });
    const gateway = await on.gateway({
      chains: { local: chainOf({ upstream }, { probes: { interval: '1s' } }) },
    });
    expect(gateway.log().find(({ msg }) => msg === 'ready')).toMatchObject({ usable: 0 });
    expect((await gateway.get('/livez')).status).toBe(200);
    expect(await gateway.get('/readyz')).toEqual({ status: 503, text: '[-] local 0/1\n[+] store\n' });
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(503);
    upstream.always(undefined);
    await until(async () => (await gateway.get('/readyz')).status === 200);
    expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(200);
  });
});
