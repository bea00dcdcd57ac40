import { beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, until } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import { type Act, page, result, send, type Upstream } from '../kit/upstream.ts';

const big = `{"jsonrpc":"2.0","id":1,"result":"0x${'ab'.repeat(2000)}"}`;

const faults: readonly (readonly [string, Act, string])[] = [
  ['500 with JSON of its own', send(500, '{"error":"internal server error"}'), 'node_failure'],
  ['502 with a web page', page(502), 'node_failure'],
  ['503 with nothing', send(503, ''), 'node_failure'],
  ['200 with a web page', page(200), 'node_failure'],
  ['200 with nothing', send(200, ''), 'node_failure'],
  ['200 with white space', send(200, ' \n'), 'node_failure'],
  ['200 with half a JSON text', send(200, big.slice(0, 200)), 'node_failure'],
  ["200 with another call's id", { do: 'result', result: '0x5', id: 'other' }, 'node_failure'],
  ['200 with an array for a single call', send(200, '[]'), 'node_failure'],
  ['200 with neither result nor error', send(200, '{"jsonrpc":"2.0","id":1}'), 'node_failure'],
  ['a body that is shorter than announced', { do: 'half', body: big, bytes: 100 }, 'node_failure'],
  ['a connection that ends without an answer', { do: 'reset' }, 'transport'],
  ['no answer within the time of an attempt', { do: 'hang' }, 'transport'],
  ['401', send(401, '{"error":"invalid api key"}'), 'auth_refused'],
  ['429', send(429, '{"error":"too many requests"}'), 'rate_limited'],
  ['a redirect', send(302, '', { location: 'http://127.0.0.1:9/' }), 'node_failure'],
  [
    'a method it does not have',
    {
      do: 'error',
      error: { code: -32601, message: 'the method eth_gasPrice does not exist/is not available' },
    },
    'unsupported',
  ],
  [
    'a node that is still syncing',
    { do: 'error', error: { code: -32000, message: 'node is not synced' } },
    'node_failure',
  ],
];

describe('an endpoint that answers', () => {
  const on = stage();
  let gateway: Gateway;
  const pools = new Map<string, readonly [Upstream, Upstream]>();

  beforeAll(async () => {
    const chains: Record<string, unknown> = {};
    for (const [at, [, act]] of faults.entries()) {
      const chainId = 1000 + at;
      const pair = [await on.upstream({ chainId }), await on.upstream({ chainId })] as const;
      pair[0].on('eth_gasPrice', act);
      pair[1].on('eth_gasPrice', result('0x77'));
      pools.set(`c${at}`, pair);
      const timeouts = act.do === 'hang' ? { read: '2s' } : {};
      chains[`c${at}`] = chainOf({ bad: pair[0], good: pair[1] }, { chainId, timeouts });
    }
    gateway = await on.gateway({ chains });
  });

  it.each(faults.map(([name, , verdict], at) => [name, `c${at}`, verdict]))(
    '%s: the read is answered by another endpoint',
    async (_, chain, verdict) => {
      const [bad, good] = pools.get(chain) ?? [];
      const reply = await gateway.rpc(chain, 'eth_gasPrice', [], 'mine');
      expect(reply.text).toBe('{"jsonrpc":"2.0","id":"mine","result":"0x77"}');
      expect(reply).toMatchObject({ status: 200, endpoint: 'good', attempts: 2 });
      expect([bad?.count('eth_gasPrice'), good?.count('eth_gasPrice')]).toEqual([1, 1]);
      const { verdicts } = await gateway.endpoint(chain, 'bad');
      expect(verdicts[verdict]).toBe(1);
    },
  );

  it('is told apart in a batch: only what failed goes elsewhere', async () => {
    const [bad, good] = pools.get('c0') ?? [];
    const [before, there] = [bad?.count('eth_getCode'), good?.count('eth_gasPrice')];
    bad?.on('eth_gasPrice', { do: 'error', error: { code: -32000, message: 'node is not synced' } });
    bad?.on('eth_getCode', result('0xfe'));
    const response = await gateway.post('/c0', [
      { jsonrpc: '2.0', id: 'code', method: 'eth_getCode', params: ['0x00', 'latest'] },
      { jsonrpc: '2.0', id: 2, method: 'eth_gasPrice' },
    ]);
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 'code', result: '0xfe' },
      { jsonrpc: '2.0', id: 2, result: '0x77' },
    ]);
    expect(bad?.count('eth_getCode')).toBe((before ?? 0) + 1);
    expect(good?.count('eth_getCode')).toBe(0);
    expect(good?.count('eth_gasPrice')).toBe((there ?? 0) + 1);
  });
});

describe('an answer that is no failure', () => {
  const on = stage();
  let behind: Upstream;
  let ahead: Upstream;
  let gateway: Gateway;
  const secret = 'k3y-0f-th3-n0d3';

  beforeAll(async () => {
    [behind, ahead] = [await on.upstream({ height: 100 }), await on.upstream({ height: 101 })];
    const endpoint = { name: 'behind', url: `${behind.url}/v3/${secret}`, allowPrivate: true };
    const other = { name: 'ahead', url: ahead.url, allowPrivate: true };
    gateway = await on.gateway({ chains: { local: chainOf({}, { endpoints: [endpoint, other] }) } });
    await until(async () => (await gateway.endpoint('local', 'ahead')).head === 101);
    await until(async () => (await gateway.endpoint('local', 'behind')).head === 100);
  });

  it('goes to the client with the status the node gave it', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"error":{"code":3,"message":"execution reverted","data":"0x01"}}';
    behind.on('eth_call', send(400, body));
    const reply = await gateway.rpc('local', 'eth_call', [{}, 'latest']);
    expect([reply.status, reply.text, reply.attempts]).toEqual([400, body, 1]);
    expect(ahead.count('eth_call')).toBe(0);
  });

  it('is shown without the endpoint’s own key when the node quotes it', async () => {
    const message = `execution reverted, see ${behind.url}/v3/${secret}`;
    behind.on('eth_call', { do: 'error', error: { code: 3, message, data: '0x01' } });
    const reply = await gateway.rpc('local', 'eth_call', [{}, 'latest']);
    expect(reply.body.error).toMatchObject({ code: 3, data: '0x01' });
    expect(reply.text).toContain('execution reverted, see');
    expect(reply.text).not.toContain(secret);
  });

  it('says that history is gone there: it is asked where it is kept', async () => {
    behind.on('eth_getBalance', {
      do: 'error',
      error: { code: -32000, message: 'missing trie node 1a2b (path ) state 0x00 is not available' },
    });
    ahead.on('eth_getBalance', result('0x64'));
    const reply = await gateway.rpc('local', 'eth_getBalance', [`0x${'11'.repeat(20)}`, '0x5']);
    expect(reply).toMatchObject({ status: 200, endpoint: 'ahead', body: { result: '0x64' } });
    const { success, verdicts } = await gateway.endpoint('local', 'behind');
    expect(success).toBe(1);
    expect(verdicts.missing_history).toBe(reply.attempts - 1);
  });

  it('is asked once more of the highest when it is a null that may only be too early', async () => {
    for (const upstream of [behind, ahead]) upstream.on('eth_getTransactionByHash', result(null));
    const hash = `0x${'ab'.repeat(32)}`;
    const neither = await gateway.rpc('local', 'eth_getTransactionByHash', [hash]);
    expect(neither).toMatchObject({ status: 200, attempts: 2, body: { result: null } });
    ahead.on('eth_getTransactionByHash', result({ hash }));
    const found = await gateway.rpc('local', 'eth_getTransactionByHash', [hash]);
    expect(found).toMatchObject({ status: 200, endpoint: 'ahead', attempts: 2, body: { result: { hash } } });
    expect((await gateway.endpoint('local', 'behind')).success).toBe(1);
  });
});

describe('an endpoint whose circuit is open', () => {
  const on = stage();

  it('is a last resort for reads when it is the only one, and the answer says so', async () => {
    const only = await on.upstream();
    only.on('eth_gasPrice', page(502));
    const gateway = await on.gateway({ chains: { local: chainOf({ only }) } });
    await until(async () => {
      expect((await gateway.rpc('local', 'eth_gasPrice')).status).toBe(502);
      return (await gateway.endpoint('local', 'only')).state === 'down';
    });
    only.on('eth_gasPrice', result('0x5'));
    const reply = await gateway.rpc('local', 'eth_gasPrice');
    expect(reply).toMatchObject({ status: 200, attempts: 1, body: { result: '0x5' } });
    expect(reply.headers.get('rpcgw-degraded')).toBe('circuit');
    expect((await gateway.get('/readyz')).text).toContain('[!] local 0/1 last resort only');
    const opened = await until(async () => (await gateway.events({ kind: 'circuit' })).at(0));
    expect(opened).toMatchObject({
      level: 'warn',
      endpoint: 'only',
      detail: { gate: 'circuit_read', shut: true },
    });
  });
});

describe('when nobody answers', () => {
  const on = stage();
  let gateway: Gateway;
  let broken: readonly Upstream[];
  let single: Upstream;
  let silent: Upstream;

  beforeAll(async () => {
    broken = await on.upstreams(4, { chainId: 1 });
    const [a, b, c, d] = broken as [Upstream, Upstream, Upstream, Upstream];
    for (const upstream of broken) upstream.on('eth_gasPrice', page(502));
    single = await on.upstream({ chainId: 2 });
    single.on('eth_gasPrice', page(502));
    silent = await on.upstream({ chainId: 3 });
    silent.on('eth_gasPrice', { do: 'hang' });
    const gone = { url: 'http://127.0.0.1:9' };
    gateway = await on.gateway({
      chains: {
        broken: chainOf({ a, b, c, d }, { chainId: 1 }),
        one: chainOf({ single }, { chainId: 2, attempts: 2 }),
        silent: chainOf({ silent }, { chainId: 3, timeouts: { read: '10s' }, deadlines: { read: '600ms' } }),
        gone: chainOf({ gone }, { chainId: 4 }),
      },
    });
  });

  it('three attempts are made at three endpoints, and the error tells of each', async () => {
    const reply = await gateway.rpc('broken', 'eth_gasPrice', [], 'mine');
    expect(reply).toMatchObject({ status: 502, attempts: 3, endpoint: null });
    expect(reply.body).toMatchObject({
      id: 'mine',
      error: {
        code: -32005,
        data: {
          source: 'rpcgw',
          reason: 'all_failed',
          chain: 'broken',
          requestId: reply.headers.get('rpcgw-request-id'),
          attempts: ['a', 'b', 'c'].map(endpoint => ({ endpoint, verdict: 'node_failure' })),
        },
      },
    });
    expect(reply.body.error?.message).toMatch(/every attempt at eth_gasPrice failed: a node_failure after/);
    expect(broken.map(upstream => upstream.count('eth_gasPrice'))).toEqual([1, 1, 1, 0]);
  });

  it('one failure of all alike is the request’s: no endpoint is blamed for it', async () => {
    const { success } = await gateway.endpoint('broken', 'a');
    expect(success).toBe(1);
  });

  it('the only endpoint is asked again after a pause', async () => {
    const reply = await gateway.rpc('one', 'eth_gasPrice');
    expect(reply).toMatchObject({ status: 502, attempts: 2 });
    expect(single.count('eth_gasPrice')).toBe(2);
  });

  it('the deadline ends it', async () => {
    const reply = await gateway.rpc('silent', 'eth_gasPrice');
    expect(reply.status).toBe(502);
    expect(reply.body.error).toMatchObject({ code: -32005, data: { reason: 'deadline' } });
    expect(silent.count('eth_gasPrice')).toBe(1);
  });

  it('an endpoint that never proved who it is gets nothing, and the answer says what holds it', async () => {
    const reply = await gateway.rpc('gone', 'eth_gasPrice');
    expect(reply).toMatchObject({ status: 503, attempts: 0 });
    expect(reply.body.error).toMatchObject({ code: -32004, data: { reason: 'no_endpoint', attempts: [] } });
    expect(reply.body.error?.message).toContain('gone (it has not proved yet that it is on gone)');
  });
});
