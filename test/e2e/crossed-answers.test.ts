import type { ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import type { Seen } from '../kit/upstream.ts';

/**
 * Several libraries do not look at the id of an answer: one that came to the wrong request would be believed. Many
 * requests at once, many of the same id, on connections that carry several; the nodes answer late and in another order.
 */

/** As JSON texts. Numbers that no program can hold exactly, and strings that can be written in two ways, among them. */
const ids = [
  ...['0', '1', '1', '1', '-7', '1.5', '1.0', '1e3', '0.1e-2', '9007199254740993', '12345678901234567890123'],
  ...['""', '"0"', '"1"', '"1"', '"null"', '"a b"', '"ü"', '"\\u00fc"', '"\\"\\\\"', 'null'],
  ...[
    '"0e5e2f4c-9d0c-4b1f-8f2a-3f9b8d6b1a11"',
    '"0e5e2f4c-9d0c-4b1f-8f2a-3f9b8d6b1a11"',
    '"ffffffff"',
    '4294967296',
  ],
];
/** Of these no batch may hold two. */
const different = [...new Set(ids)].filter(id => !['1.0', '"\\u00fc"'].includes(id));

interface Item {
  /** As it stands in the text. */
  readonly id: string;
  readonly data: string;
}

const word = (n: number): string => `0x${n.toString(16).padStart(64, '0')}`;

function callText({ id, data }: Item): string {
  const to = `0x${'11'.repeat(20)}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"eth_call","params":[{"to":"${to}","data":"${data}"},"latest"]}`;
}

const replyText = ({ id, data }: Item): string => `{"jsonrpc":"2.0","id":${id},"result":"${data}"}`;

/** Ids as they stand in the text: what the parser makes of a large number is another number. */
function itemsOf(text: string, dataOf: (item: unknown) => unknown): Item[] {
  const read: unknown = JSON.parse(text, (key, value, { source }: { source?: string } = {}) =>
    key === 'id' ? { source } : value,
  );
  return (Array.isArray(read) ? read : [read]).map(item => ({
    id: String(item.id?.source),
    data: String(dataOf(item)),
  }));
}

/** The same order of "random" numbers on each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function shuffle<T>(all: readonly T[], next: () => number): T[] {
  return all
    .map(each => ({ each, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

/** Holds its answers back until some are together, and lets them go in another order; those of a batch as well. */
function lateAndShuffled(seed: number): (response: ServerResponse, seen: Seen) => void {
  const next = numbers(seed);
  let held: { readonly response: ServerResponse; readonly body: string }[] = [];
  const release = (): void => {
    for (const { response, body } of shuffle(held, next)) {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    }
    held = [];
  };
  return (response, { body }) => {
    const items = itemsOf(body, item => (item as { params: [{ data: string }] }).params[0].data);
    const replies = shuffle(items, next).map(replyText);
    held.push({ response, body: body.startsWith('[') ? `[${replies.join()}]` : (replies[0] ?? '') });
    if (held.length >= 12) release();
    else if (held.length === 1) setTimeout(release, 15);
  };
}

describe('answers come to the request they belong to, under its own id', () => {
  const on = stage();
  let gateway: Gateway;
  let pool: Pool;

  beforeAll(async () => {
    const [a, b, c] = await on.upstreams(3);
    if (a === undefined || b === undefined || c === undefined) throw new Error('three nodes');
    [a, b, c].forEach((node, at) => {
      node.on('eth_call', { do: 'custom', answer: lateAndShuffled(at + 1) });
    });
    gateway = await on.gateway({
      chains: { local: chainOf({ a, b, c }, { strategy: 'least-outstanding' }) },
    });
    pool = new Pool(gateway.url, { connections: 20, pipelining: 10 });
    on.after(() => pool.destroy());
  });

  const post = async (body: string): Promise<string> => {
    const headers = { 'content-type': 'application/json' };
    // Said to be so, or the client would not put several of them on one connection.
    const response = await pool.request({ method: 'POST', path: '/local', headers, body, idempotent: true });
    expect(response.statusCode).toBe(200);
    return response.body.text();
  };

  const item = (n: number): Item => ({ id: ids[n % ids.length] ?? '0', data: word(n) });

  it('two hundred single requests at once', async () => {
    const items = Array.from({ length: 200 }, (_, n) => item(n));
    const answers = await Promise.all(items.map(each => post(callText(each))));
    expect(answers).toEqual(items.map(replyText));
  });

  it('forty batches at once, of ids that come again in each', async () => {
    const next = numbers(9);
    const batches = Array.from({ length: 40 }, (_, batch) =>
      shuffle(different, next)
        .slice(0, 2 + (batch % 9))
        .map((id, at): Item => ({ id, data: word(batch * 100 + at) })),
    );
    const answers = await Promise.all(batches.map(batch => post(`[${batch.map(callText).join()}]`)));
    // In the order of the request, whatever order the node has answered in.
    expect(answers).toEqual(batches.map(batch => `[${batch.map(replyText).join()}]`));
  });

  it('single requests and batches between each other', async () => {
    const jobs = Array.from({ length: 200 }, (_, n): readonly Item[] => {
      const [first = '0', second = '1'] = shuffle(different, numbers(n));
      return n % 2 === 0
        ? [item(n)]
        : [
            { id: first, data: word(n) },
            { id: second, data: word(n + 500) },
          ];
    });
    const answers = await Promise.all(
      jobs.map(items =>
        post(items.length === 1 ? items.map(callText).join() : `[${items.map(callText).join()}]`),
      ),
    );
    const got = answers.map(answer => itemsOf(answer, each => (each as { result: string }).result));
    expect(got).toEqual(jobs);
  });

  it('a batch that holds one id twice is refused whole: nobody could tell its answers apart', async () => {
    for (const [one, other] of [
      ['1', '1'],
      ['"a"', '"a"'],
      ['""', '""'],
      ['"ü"', '"\\u00fc"'],
      ['1', '1.0'],
    ] as const) {
      const body = `[${callText({ id: one, data: word(1) })},${callText({ id: other, data: word(2) })}]`;
      const response = await pool.request({ method: 'POST', path: '/local', body });
      expect(response.statusCode).toBe(400);
      expect(await response.body.json()).toMatchObject({
        error: { code: -32600, data: { source: 'rpcgw' } },
      });
    }
  });
});
