import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { send } from '../kit/upstream.ts';

describe('a client', () => {
  const on = stage();

  it('that goes away cancels its read at once, and that is nobody’s failure', async () => {
    const upstream = await on.upstream();
    let cut = 0;
    upstream.on('eth_getCode', {
      do: 'custom',
      answer: response => void response.once('close', () => (cut += 1)),
    });
    const gateway = await on.gateway({
      chains: { local: chainOf({ upstream }, { timeouts: { read: '1h' } }) },
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getCode"}';
    const batch = `[${body},{"jsonrpc":"2.0","id":2,"method":"eth_getCode"}]`;
    for (const text of [body, batch]) {
      const before = upstream.count('eth_getCode');
      const socket = connect(gateway.port, '127.0.0.1');
      socket.write(`POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
      await until(async () => upstream.count('eth_getCode') > before);
      socket.destroy();
    }
    await until(async () => cut === 2);
    const { chains } = await gateway.status();
    expect(chains[0]).toMatchObject({ inFlight: 0, okShare: null });
    expect(chains[0]?.endpoints[0]).toMatchObject({ inFlight: 0, success: 1, state: 'healthy' });
  });

  it('is told when to come again when all are rate limited, in a form no library reads as milliseconds', async () => {
    const [a, b] = [await on.upstream(), await on.upstream()];
    for (const upstream of [a, b])
      upstream.on('eth_gasPrice', send(429, '{"error":"too many requests"}', { 'retry-after': '120' }));
    const gateway = await on.gateway({ chains: { local: chainOf({ a, b }) } });
    const reply = await gateway.rpc('local', 'eth_gasPrice');
    expect(reply).toMatchObject({ status: 429, attempts: 2 });
    expect(reply.headers.get('retry-after')).toMatch(/^0(?:1[12]\d|13\d|14[0-4])$/);
    expect(reply.body.error).toMatchObject({
      code: -32005,
      data: { reason: 'all_cooling', attempts: [{ verdict: 'rate_limited' }, { verdict: 'rate_limited' }] },
    });
    // Asked to be left alone: nobody is asked while that lasts, and the next client is told so at once.
    const next = await gateway.rpc('local', 'eth_gasPrice');
    expect(next).toMatchObject({ status: 429, attempts: 0 });
    expect([a.count('eth_gasPrice'), b.count('eth_gasPrice')]).toEqual([1, 1]);
    expect((await gateway.endpoint('local', 'a')).state).toBe('cooling');
  });

  it('gets its id back as it wrote it, in the gateway’s own errors too', async () => {
    const upstream = await on.upstream();
    const gateway = await on.gateway({ chains: { local: chainOf({ upstream }) } });
    for (const id of ['12345678901234567890', '1.50', '1e2', '-0', '"\\u00fc\\n"', 'null', '""']) {
      const response = await gateway.post('/local', `{"jsonrpc":"2.0","id":${id},"method":"eth_sign"}`);
      expect(await response.text()).toContain(`"id":${id},`);
    }
  });
});
