/**
 * Bytes on the data listener that are nearly requests. Whatever comes: an answer that is no fault of the gateway, and an
 * endpoint that is asked for nothing but what stood in those bytes.
 */

import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { chainOf } from '../kit/stage.ts';
import { startUpstream } from '../kit/upstream.ts';
import { startHere } from '../security/here.ts';
import { bytesOf, isRecord, mutated, parsed } from '../wire/json-texts.ts';
import { requestText } from '../wire/requests.ts';
import { exchange, type Sent } from './exchange.ts';
import type { Running } from './running.ts';
import { same } from './same.ts';

const line = fc.constantFrom(
  ...['host: b', 'Host: a', 'host : a', 'x: y', ' folded', 'x', 'expect: 100-continue', 'connection: close'],
  ...['transfer-encoding: chunked', 'transfer-encoding: gzip', 'content-length: 5', 'content-length: 0x5'],
  ...['upgrade: h2c', 'authorization: Bearer x', 'x: \0', 'accept-encoding: gzip', 'x\n: y', 'trailer: host'],
  ...['origin: https://evil.example', 'sec-fetch-site: cross-site', 'rpcgw-rebroadcast: 1'],
);
const body = fc.oneof(
  { weight: 3, arbitrary: requestText.map(bytesOf) },
  { weight: 2, arbitrary: mutated(requestText) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('eth_gasPrice', 'eth_call', 'eth_sendRawTransaction', 'eth_sendTransaction'),
        fc.nat(9),
      )
      .map(([method, id]) => bytesOf(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":[]}`)),
  },
);
const target = fc.oneof(
  { weight: 12, arbitrary: fc.constant('/local') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '*',
      '//local',
      '/LOCAL',
      '/local/',
      '/local?x',
      '/%6cocal',
      '/a/../local',
      '/livez',
      '/metrics',
      'http://a/local',
    ),
  },
);

interface Request {
  readonly head: readonly string[];
  readonly body: Uint8Array;
  /** How much more than comes, or less, is announced. */
  readonly lie: number;
  /** Bytes a chunk; 0: the body has a length instead. */
  readonly chunks: number;
}

const request: fc.Arbitrary<Request> = fc
  .record({
    verb: fc.oneof(
      { weight: 12, arbitrary: fc.constant('POST') },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'OPTIONS', 'HEAD', 'post') },
    ),
    target,
    version: fc.oneof(
      { weight: 15, arbitrary: fc.constant('1.1') },
      { weight: 1, arbitrary: fc.constantFrom('1.0', '0.9', '2.0') },
    ),
    more: fc.array(line, { maxLength: 2 }),
    body,
    lie: fc.oneof(
      { weight: 12, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
    ),
    chunks: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
    ),
  })
  .map(({ verb, target: path, version, more, ...rest }) => ({
    head: [`${verb} ${path} HTTP/${version}`, 'host: a', ...more],
    ...rest,
  }));

function bytesOfRequest({ head, body: whole, lie, chunks }: Request, last: boolean): Uint8Array {
  const size = (bytes: Uint8Array): number => Math.max(0, bytes.length + lie);
  const framing = chunks === 0 ? `content-length: ${size(whole)}` : 'transfer-encoding: chunked';
  const lines = [...head, ...(last ? ['connection: close'] : []), framing, '', ''];
  const begin = Buffer.from(lines.join('\r\n'), 'latin1');
  if (chunks === 0) return Buffer.concat([begin, whole]);
  const parts = Array.from({ length: Math.ceil(whole.length / chunks) }, (_, at) =>
    whole.subarray(at * chunks, (at + 1) * chunks),
  );
  const framed = parts.flatMap(part => [
    Buffer.from(`${size(part).toString(16)}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([begin, ...framed, Buffer.from('0\r\n\r\n')]);
}

/** A few over one connection, and perhaps bytes that are none. */
const several = fc
  .tuple(
    fc.array(request, { minLength: 1, maxLength: 3 }),
    fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 9 })),
  )
  .map(([requests, rest]) => ({
    bytes: Buffer.concat([
      ...requests.map((each, at) => bytesOfRequest(each, at === requests.length - 1)),
      rest,
    ]),
    whole: requests.every(({ lie }) => lie <= 0),
    bodies: requests.map(each => each.body),
  }));

/** The calls of a body as the platform's parser reads it; none when that refuses it. */
function callsIn(bytes: Uint8Array): readonly Record<string, unknown>[] {
  const read = parsed(bytes);
  if (!read.ok) return [];
  return (Array.isArray(read.value) ? read.value : [read.value]).filter(isRecord);
}

/** What the gateway asks by itself; nothing here is named so. */
const own = /^(?:eth_chainId|eth_blockNumber|eth_get\w+|web3_clientVersion)$/;
const expected = [100, 200, 204, 400, 401, 404, 405, 408, 413, 417, 431, 502, 503];

export async function dataListener(): Promise<Running> {
  const upstream = await startUpstream();
  const here = await startHere({ chains: { local: chainOf({ upstream }, { probes: { interval: '1h' } }) } });
  const port = Number(new URL(here.url).port);
  const call = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
  while (!(await fetch(`${here.url}/local`, { method: 'POST', body: call })).ok);
  let seen = upstream.all().length;
  /** A broadcast goes on when its client is gone, and comes when the disk has its row: thousands of tries later. */
  const recent: (readonly Record<string, unknown>[])[] = [];

  async function holds(sent: Sent & { readonly bodies: readonly Uint8Array[] }): Promise<void> {
    const answer = await exchange(connect(port, '127.0.0.1'), sent);
    for (const [, status] of answer.matchAll(/HTTP\/1\.1 (\d{3}) /g))
      if (!expected.includes(Number(status))) throw new Error(`status ${status}: ${answer.slice(0, 500)}`);
    if (/"reason":"internal"|\n\s+at /.test(answer)) throw new Error(`a fault of the gateway: ${answer}`);
    if (sent.whole && answer === '') throw new Error('there is no answer');
    const came = upstream.all().slice(seen);
    seen += came.length;
    recent.push(sent.bodies.flatMap(callsIn));
    if (recent.length > 10_000) recent.shift();
    for (const { method, params, id, body: whole } of came.filter(each => !own.test(each.method))) {
      const was = recent.findLast(calls =>
        calls.some(
          call =>
            call.method === method &&
            isDeepStrictEqual(call.params ?? [], params) &&
            isDeepStrictEqual(call.id, id),
        ),
      );
      if (!was) throw new Error(`nobody asked for ${whole}`);
    }
  }

  return {
    property: fc.asyncProperty(several, holds),
    async end() {
      same(
        'it answers still',
        (await fetch(`${here.url}/local`, { method: 'POST', body: call })).status,
        200,
      );
      await here.remove();
      await upstream.close();
    },
  };
}
