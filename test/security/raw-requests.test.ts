import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeRaw, parsed } from '../kit/raw.ts';
import { chainOf } from '../kit/stage.ts';
import { result, startUpstream, type Upstream } from '../kit/upstream.ts';
import { type Here, startHere } from './here.ts';

/**
 * Requests that two HTTP readers, a proxy in front and the gateway, could take for different ones. Each row is sent over a
 * connection of its own, with a second, clean request behind it: if anything of that is answered, something was smuggled.
 */

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_gasPrice"}';
const length = `content-length: ${body.length}`;
const chunked = 'transfer-encoding: chunked';
const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const lines = (...head: readonly string[]): string => `${head.join('\r\n')}\r\n\r\n`;
const post = (...head: readonly string[]): string => lines('POST /local HTTP/1.1', 'host: a', ...head);
const smuggled = lines('POST /local HTTP/1.1', 'host: a', length) + body;

const refused: readonly (readonly [name: string, text: string])[] = [
  // Where does the body end?
  ['two lengths', post(length, 'content-length: 5') + body],
  ['the same length twice', post(length, length) + body],
  ['lengths in a list', post(`content-length: ${body.length}, ${body.length}`) + body],
  ['a length with a plus', post(`content-length: +${body.length}`) + body],
  ['a length with a minus', post(`content-length: -${body.length}`) + body],
  ['a length in hexadecimal', post('content-length: 0x30') + body],
  ['a length with a point', post(`content-length: ${body.length}.0`) + body],
  ['a length in exponents', post('content-length: 4e1') + body],
  ['a length with letters behind', post(`content-length: ${body.length}abc`) + body],
  ['a length of nothing', post('content-length: ') + body],
  ['a length past all numbers', post('content-length: 99999999999999999999') + body],
  ['chunked beside a length', post(length, chunked) + chunks],
  ['a length beside chunked', post(chunked, length) + chunks],
  ['chunked after another encoding', post('transfer-encoding: gzip, chunked') + chunks],
  ['chunked before another encoding', post('transfer-encoding: chunked, gzip') + chunks],
  ['chunked before identity', post('transfer-encoding: chunked, identity') + chunks],
  ['identity alone', post('transfer-encoding: identity', length) + body],
  ['chunked twice in a list', post('transfer-encoding: chunked, chunked') + chunks],
  ['chunked twice', post(chunked, chunked) + chunks],
  ['chunked in capitals', post('transfer-encoding: CHUNKED') + chunks],
  ['chunked with a comma', post('transfer-encoding: chunked,') + chunks],
  ['chunked in quotes', post('transfer-encoding: "chunked"') + chunks],
  ['chunked with a parameter', post('transfer-encoding: chunked;q=1') + chunks],
  ['chunked after a vertical tab', post('transfer-encoding: \x0bchunked') + chunks],
  ['a word that holds chunked', post('transfer-encoding: xchunked') + chunks],
  ['an encoding of nothing beside a length', post('transfer-encoding: ', length) + body],
  ['a space before the colon of the encoding', post('transfer-encoding : chunked') + chunks],
  ['a tab before the colon of the encoding', post('transfer-encoding\t: chunked') + chunks],
  ['a folded encoding', post('transfer-encoding:\r\n chunked') + chunks],
  ['chunked on HTTP/1.0', lines('POST /local HTTP/1.0', 'host: a', chunked) + chunks],
  ['a chunk size with a sign', `${post(chunked)}+30\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size with 0x', `${post(chunked)}0x30\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size past all numbers', `${post(chunked)}fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size of nothing', `${post(chunked)}\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk that ends with a bare line feed', `${post(chunked)}30\r\n${body}\n0\r\n\r\n`],
  ['a chunk size that ends with a bare line feed', `${post(chunked)}30\n${body}\r\n0\r\n\r\n`],
  ['a chunk longer than it says', `${post(chunked)}5\r\n${body}\r\n0\r\n\r\n`],
  ['a line feed in a chunk extension', `${post(chunked)}30;a\nb\r\n${body}\r\n0\r\n\r\n`],
  // Who is asked?
  ['two Hosts', lines('POST /local HTTP/1.1', 'host: a', 'host: b', length) + body],
  ['the same Host twice', lines('POST /local HTTP/1.1', 'host: a', 'Host: a', length) + body],
  ['no Host', lines('POST /local HTTP/1.1', length) + body],
  ['a space before the colon of the Host', lines('POST /local HTTP/1.1', 'host : a', length) + body],
  ['two keys', post('authorization: Bearer a', 'authorization: Bearer b', length) + body],
  ['an absolute target', lines('POST http://a/local HTTP/1.1', 'host: a', length) + body],
  ['an absolute target elsewhere', lines('POST http://b/local HTTP/1.1', 'host: a', length) + body],
  ['an https target', lines('POST https://a/local HTTP/1.1', 'host: a', length) + body],
  ['an asterisk', lines('POST * HTTP/1.1', 'host: a', length) + body],
  ['an authority', lines('POST a:80 HTTP/1.1', 'host: a', length) + body],
  ['a target without a slash', lines('POST local HTTP/1.1', 'host: a', length) + body],
  ['a space in the target', lines('POST /lo cal HTTP/1.1', 'host: a', length) + body],
  ['a tab after the target', lines('POST /local\tHTTP/1.1', 'host: a', length) + body],
  ['no target', lines('POST HTTP/1.1', 'host: a', length) + body],
  ['a NUL in the target', lines('POST /local\0 HTTP/1.1', 'host: a', length) + body],
  // Is this a header?
  ['a folded header', post('x: a', ' b', length) + body],
  ['a folded first header', `POST /local HTTP/1.1\r\n host: a\r\nhost: a\r\n${length}\r\n\r\n${body}`],
  ['a header folded by a tab', post('x: a', '\tb', length) + body],
  ['a bare line feed after a header', `POST /local HTTP/1.1\r\nhost: a\nx: b\r\n${length}\r\n\r\n${body}`],
  ['bare line feeds everywhere', `POST /local HTTP/1.1\nhost: a\n${length}\n\n${body}`],
  ['a bare carriage return', `POST /local HTTP/1.1\r\nhost: a\rx: b\r\n${length}\r\n\r\n${body}`],
  ['a NUL in a value', post('x: a\0b', length) + body],
  ['a NUL in a name', post('x\0y: a', length) + body],
  ['a control character in a value', post('x: a\x01b', length) + body],
  ['a delete character in a value', post('x: a\x7fb', length) + body],
  ['a name with a space', post('x y: a', length) + body],
  ['a name of nothing', post(': a', length) + body],
  ['a line without a colon', post('nothing', length) + body],
  ['a name beyond ASCII', post('\xe9: a', length) + body],
  // Is this HTTP at all?
  ['an older version', lines('POST /local HTTP/0.9', 'host: a', length) + body],
  ['a version to come', lines('POST /local HTTP/1.2', 'host: a', length) + body],
  ['HTTP/2 in the words of HTTP/1', lines('POST /local HTTP/2.0', 'host: a', length) + body],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`],
  ['a version in small letters', lines('POST /local http/1.1', 'host: a', length) + body],
  ['another protocol', lines('POST /local ICE/1.0', 'host: a', length) + body],
  ['a method nobody knows', lines('BREW /local HTTP/1.1', 'host: a', length) + body],
  ['a method in small letters', lines('post /local HTTP/1.1', 'host: a', length) + body],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ['garbage', '\x00\xff\xfe\x80 garbage \r\n\r\n'],
  ['a request for a tunnel', lines('CONNECT a:443 HTTP/1.1', 'host: a')],
  // Too much of it.
  ['a head of 17 KiB', post(`x: ${'a'.repeat(17 * 1024)}`, length) + body],
  ['a target of 17 KiB', lines(`POST /${'a'.repeat(17 * 1024)} HTTP/1.1`, 'host: a', length) + body],
  ['300 headers', post(...Array.from({ length: 300 }, (_, n) => `x${n}: a`), length) + body],
  ['2,500 headers', post(...Array.from({ length: 2500 }, () => 'a:'), length) + body],
  [
    'a second Host behind 2,100 headers',
    post(...Array.from({ length: 2100 }, () => 'a:'), 'host: b', length) + body,
  ],
  ['an expectation nobody can meet', post('expect: 200-maybe', length) + body],
];

describe('requests that can be read in two ways', () => {
  let upstream: Upstream;
  let here: Here;
  let port = 0;

  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.on('eth_gasPrice', result('0x77'));
    here = await startHere({ chains: { local: chainOf({ upstream }) } });
    port = Number(new URL(here.url).port);
  });
  afterAll(async () => {
    await here.remove();
    await upstream.close();
  });

  it('is a table of at least 40, each once', () => {
    expect(new Set(refused.map(([, text]) => text)).size).toBe(refused.length);
    expect(refused.length).toBeGreaterThanOrEqual(40);
  });

  it.each(refused)('%s: refused, and nothing behind it is read', async (_name, text) => {
    const before = upstream.count('eth_gasPrice');
    const answer = await exchangeRaw(port, text + smuggled);
    expect(answer.match(/HTTP\/1\.1 /g) ?? []).toHaveLength(answer === '' ? 0 : 1);
    if (answer !== '') expect(parsed(answer).status).toBeGreaterThanOrEqual(400);
    expect(upstream.count('eth_gasPrice')).toBe(before);
  });

  it.each([
    ['a length', post(length, 'connection: close') + body],
    ['chunks', post(chunked, 'connection: close') + chunks],
    [
      'small chunks',
      `${post(chunked, 'connection: close')}${[...body].map(byte => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`,
    ],
    ['a chunk extension', `${post(chunked, 'connection: close')}30;a=b\r\n${body}\r\n0\r\n\r\n`],
    ['trailers', `${post(chunked, 'connection: close')}30\r\n${body}\r\n0\r\nx: y\r\n\r\n`],
    ['HTTP/1.0 with a length', lines('POST /local HTTP/1.0', 'host: a', length) + body],
    ['an empty line in front', `\r\n${post(length, 'connection: close')}${body}`],
    ['leading zeros in a length', post(`content-length: 00${body.length}`, 'connection: close') + body],
    ['a Host of nothing', lines('POST /local HTTP/1.1', 'host:', length, 'connection: close') + body],
    ['no space after the colon', post(`content-length:${body.length}`, 'connection: close') + body],
    ['an expectation that can be met', post('expect: 100-continue', length, 'connection: close') + body],
    ['an offer of another protocol', post('upgrade: h2c', 'connection: close, upgrade', length) + body],
    [
      'a hundred headers',
      post(...Array.from({ length: 100 }, (_, n) => `x${n}: a`), length, 'connection: close') + body,
    ],
  ])('with %s there is one reading: answered', async (_name, text) => {
    const answer = await exchangeRaw(port, text);
    const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
    expect(parsed(last)).toMatchObject({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":"0x77"}' });
  });

  it('what stands in trailers is not a header', async () => {
    const trailer = `${post(chunked, 'connection: close')}30\r\n${body}\r\n0\r\nhost: b\r\nauthorization: b\r\n\r\n`;
    expect(parsed(await exchangeRaw(port, trailer)).status).toBe(200);
  });

  it('requests in a row are answered in a row', async () => {
    const row = Array.from({ length: 5 }, (_, n) => {
      const each = body.replace('"id":1', `"id":${n}`);
      return (
        lines(
          'POST /local HTTP/1.1',
          'host: a',
          `content-length: ${each.length}`,
          ...(n === 4 ? ['connection: close'] : []),
        ) + each
      );
    });
    const answer = await exchangeRaw(port, row.join(''));
    expect([...answer.matchAll(/"id":(\d)/g)].map(([, id]) => id)).toEqual(['0', '1', '2', '3', '4']);
  });
});
