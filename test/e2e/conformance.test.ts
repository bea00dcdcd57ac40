import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, genesisFor } from '../kit/anvil.ts';
import type { Gateway } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';

/** Requests of the Ethereum clients' own conformance tests: through the gateway comes what the node itself answers. */

interface Case {
  readonly test: string;
  readonly about: string | null;
  readonly request: string;
}

/** The network these tests are written for: the transactions among them are signed for it. */
const chainId = 3_503_995_874_084_926;
const file = new URL('../../fixtures/execution-apis/tests.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): Case => JSON.parse(line));

describe('the conformance requests of Ethereum', () => {
  const on = stage();
  let node: Anvil;
  let gateway: Gateway;

  beforeAll(async () => {
    node = await on.anvil({ chainId, genesis: genesisFor(60) });
    await node.mineTo(60);
    gateway = await on.gateway({ chains: { local: chainOf({ node }, { chainId }) } });
  });

  const post = async (url: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };

  it('are many, of many methods', () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(new Set(cases.map(({ test }) => test.split('/')[0])).size).toBeGreaterThan(30);
  });

  it.each(cases)('$test', async ({ request }) => {
    const through = await post(`${gateway.url}/local`, request);
    let direct = await post(node.url, request);
    // The node writes the keys of some objects in an order that changes from answer to answer.
    for (let n = 0; n < 50 && direct.text.length === through.text.length; n += 1) {
      if (direct.text === through.text) break;
      direct = await post(node.url, request);
    }
    expect(through).toEqual(direct);
  });
});
