/**
 * Bytes on the admin socket that are nearly the requests of commands. Whatever comes: an answer that says what is wrong,
 * never a fault of the daemon, nothing changed by what was refused, no secret in an answer or in the log.
 */

import { connect } from 'node:net';
import fc from 'fast-check';
import { z } from 'zod/mini';
import { type Route, routes } from '../../src/api/contract.ts';
import { type Here, startHere } from '../security/here.ts';
import { bytesOf, mutated, valueText } from '../wire/json-texts.ts';
import { exchange, type Sent } from './exchange.ts';
import type { Running } from './running.ts';
import { same } from './same.ts';

const secret = 'K3yN0body5ees7Zq';
const port = 9;
const file = {
  chains: {
    local: {
      family: 'evm',
      chainId: 31337,
      probes: { interval: '1h' },
      timeouts: { connect: '100ms' },
      endpoints: ['f1', 'f2'].map(name => ({
        name,
        url: `http://127.0.0.1:${port}/${name}/${secret}`,
        headers: { 'x-key': secret },
        allowPrivate: true,
      })),
      allowedHosts: [{ host: `127.0.0.11:${port}`, allowPrivate: true }],
    },
  },
};

const texts = fc.oneof(
  fc.constantFrom(
    ...['local', 'f1', 'f2', 'r1', 'r2', 'disabled', 'add', 'debug', 'x', '', '*', '../..', '__proto__'],
    ...[
      'constructor',
      '20',
      '21',
      '+5',
      '-1',
      '50%',
      '1e9',
      'NaN',
      'true',
      'null',
      '\0',
      '\ud800',
      '\r\nx: y',
    ],
    ...['eth_call', 'eth_sendRawTransaction', 'admin_peers', '0'.repeat(64), 'a'.repeat(70)],
    `http://127.0.0.11:${port}/${secret}`,
    `http://127.0.0.11:${port}/${secret}?k=1`,
    `http://127.0.0.1:${port}/${secret}`,
    `https://10.99.0.1/${secret}`,
    `http://u:${secret}@127.0.0.11:${port}/`,
    `http://127.0.0.11:${port}\\@10.99.0.1/${secret}`,
    `http://127.1:${port}/${secret}`,
    'javascript:alert(1)',
  ),
  fc.string({ maxLength: 6, unit: 'binary' }),
);
const numbers = fc.oneof(
  fc.constantFrom(
    0,
    1,
    5,
    10,
    19,
    20,
    21,
    50,
    100,
    -1,
    -0,
    0.5,
    1e3,
    1e9,
    3_600_000,
    2 ** 31,
    2 ** 53,
    1e21,
    -1e300,
  ),
  fc.integer({ min: -30, max: 130 }),
);
const scalars: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 3, arbitrary: numbers },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null, [], {}) },
);
const values = fc.oneof(
  { weight: 8, arbitrary: scalars },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.oneof(texts, fc.constantFrom('x-key', 'Host', '__proto__')), scalars),
  },
);

/** Fields of a route, each absent, of its kind, or anything. */
function given(route: Route): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const fields = route.input instanceof z.ZodMiniObject ? Object.keys(route.input.shape) : [];
  const likely: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    chain: fc.constant('local'),
    name: fc.constantFrom('f1', 'f2', 'r1', 'r2'),
    url: fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('r1', 'r2').map(name => `http://127.0.0.11:${port}/${name}/${secret}`),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          secret,
          `ht!tp:/${secret}`,
          `javascript:${secret}`,
          `//127.0.0.11:9/${secret}`,
        ),
      },
    ),
    weight: route.path.endsWith('/set') ? fc.constantFrom('20', '+5', '-5', '50%', '21', '0') : numbers,
    headers: fc.constant({ 'x-key': secret }),
    forMs: fc.constant(3_600_000),
    method: fc.constantFrom('eth_call', 'eth_blockNumber', 'eth_sendRawTransaction'),
    samples: fc.constant(1),
    level: fc.constant('debug'),
    dryRun: fc.boolean(),
    force: fc.boolean(),
    reset: fc.boolean(),
    id: fc.constantFrom(1, 2),
    note: fc.constant('seen to'),
  };
  const each = Object.fromEntries(
    fields.map(field => [
      field,
      fc.oneof({ weight: 6, arbitrary: likely[field] ?? values }, { weight: 1, arbitrary: values }),
    ]),
  );
  const required = fields.filter(field => ['chain', 'name', 'url', 'method', 'id'].includes(field));
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(each, { requiredKeys: required }) },
    { weight: 2, arbitrary: fc.record(each, { requiredKeys: [] }) },
  );
}

/** Changed bytes may make of a URL something that looks like none, which is told back as any text is: no secret in those. */
const bytes = (text: fc.Arbitrary<string>): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 4, arbitrary: text.map(bytesOf) },
    { weight: 1, arbitrary: mutated(text.map(each => each.replaceAll(secret, 'typed'))) },
  );

const body = (route: Route): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    { weight: 8, arbitrary: bytes(given(route).map(object => JSON.stringify(object))) },
    { weight: 1, arbitrary: mutated(valueText) },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 1, max: 20_000 }).map(n => bytesOf('['.repeat(n) + ']'.repeat(n))),
    },
  );

const query = (route: Route): fc.Arbitrary<string> =>
  given(route).map(object => {
    const pairs = Object.entries(object).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    // Half a surrogate pair has no form in a query.
    return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  });

/** One request. */
const request: fc.Arbitrary<Sent> = fc.constantFrom(...Object.values<Route>(routes)).chain(route =>
  fc
    .record({
      verb: fc.oneof(
        { weight: 20, arbitrary: fc.constant<string>(route.verb) },
        { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE') },
      ),
      path: fc.oneof(
        { weight: 20, arbitrary: fc.constant(route.path) },
        { weight: 1, arbitrary: mutated(fc.constant(route.path)).map(part => latin1(part)) },
      ),
      query: route.verb === 'GET' ? query(route) : fc.constant(''),
      body: route.verb === 'POST' ? body(route) : fc.constant(new Uint8Array()),
      lie: fc.oneof(
        { weight: 30, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
      ),
      chunked: fc.nat(9).map(n => n === 0),
      more: fc.oneof(
        { weight: 20, arbitrary: fc.constant('') },
        {
          weight: 1,
          arbitrary: fc.constantFrom('x: \0\r\n', 'host: b\r\n', ' folded\r\n', 'expect: 1\r\n', 'a\r\n'),
        },
      ),
    })
    .map(parts => {
      const length = Math.max(0, parts.body.length + parts.lie);
      const framing = parts.chunked ? 'transfer-encoding: chunked' : `content-length: ${length}`;
      const head = `${parts.verb} ${parts.path}${parts.query} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${parts.more}${framing}\r\n\r\n`;
      const [before, after] = parts.chunked ? [`${length.toString(16)}\r\n`, '\r\n0\r\n\r\n'] : ['', ''];
      const all = [Buffer.from(head, 'latin1'), Buffer.from(before), parts.body, Buffer.from(after)];
      return { bytes: Buffer.concat(all), whole: parts.lie <= 0 };
    }),
);

function latin1(part: Uint8Array): string {
  return Buffer.from(part).toString('latin1');
}

interface State {
  readonly names: readonly string[];
  readonly endpoints: readonly unknown[];
  readonly overrides: readonly unknown[];
}

async function stateOf(here: Here): Promise<State> {
  const { chains } = await here.api.ask('status', {});
  const soon = Date.now() + 1_800_000;
  return {
    names: chains.flatMap(chain => chain.endpoints.map(each => `${each.name} at ${each.host}`)),
    endpoints: here.rows('endpoint'),
    // One that is about to end by itself does not count.
    overrides: here.rows('override').filter(({ until }) => typeof until !== 'number' || until > soon),
  };
}

/** That of the file's own endpoints, and the one it names. */
const allowed = [`127.0.0.1:${port}`, `127.0.0.11:${port}`];
const expected = [200, 400, 404, 409, 417, 422, 431];

export async function adminRoutes(): Promise<Running> {
  const here = await startHere(file);
  let before = await stateOf(here);
  let lines = here.lines().length;

  async function holds(sent: Sent): Promise<void> {
    const answer = await exchange(connect(here.socket), sent);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
    if ((answer !== '' || sent.whole) && !expected.includes(status))
      throw new Error(`status ${status}: ${answer.slice(0, 500)}`);
    // The method is told back as the name it should be.
    const told = status === 200 && /^POST \/v1\/(?:explain|call) /.test(latin1(sent.bytes));
    same('no secret in an answer', !told && answer.includes(secret), false);
    same('no stack in an answer', /\\n\s+at |\n\s+at /.test(answer), false);
    const fresh = here.lines().slice(lines).join('');
    lines = here.lines().length;
    same('no secret in the log', fresh.includes(secret), false);
    const after = await stateOf(here);
    if (status !== 200) same('what was refused changed nothing', after, before);
    for (const { name, url, settings } of after.endpoints as readonly Record<string, unknown>[]) {
      same(`${name} is at an allowed host`, allowed.includes(new URL(String(url)).host), true);
      const { weight, origin } = JSON.parse(String(settings));
      same(`${name} is bounded`, weight >= 0 && weight <= 20 && origin === 'runtime', true);
    }
    before = after;
  }

  return {
    property: fc.asyncProperty(request, holds),
    async end() {
      const verdict = await here.api.ask('auditVerify', {});
      same('the audit is whole', verdict.sound, true);
      await here.remove();
    },
  };
}
