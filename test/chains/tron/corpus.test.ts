import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tron } from '../../../src/chains/tron/index.ts';
import { decodeMessage, encodeMessage } from '../../../src/chains/tron/message.ts';
import { paths, rpcMethods } from '../../../src/chains/tron/methods.ts';
import { rules } from '../../../src/chains/tron/replies.ts';
import { answeredOf, type Case, casesOf } from '../cases.ts';
import { classify, testRuleTable } from '../rule-table.ts';
import { callFor, judged } from './cases.ts';

const answered = answeredOf('tron');

describe('the table of rules', () => {
  testRuleTable(tron, rules);

  test('its last row takes all, and is counted', () => {
    expect(rules.at(-1)?.unclassified).toBe(true);
  });
});

test('our own cases are more than a hundred', () => {
  expect(casesOf('tron').filter(({ id }) => id.startsWith('tron-x-')).length).toBeGreaterThan(100);
});

/** Other numbers, hosts, versions, addresses and ids of the same kind. */
function other(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, id => id.replace(/[0-9]/g, digit => String((Number(digit) + 3) % 10)))
    .replace(/\bT[1-9A-HJ-NP-Za-km-z]{33}\b/g, 'TQ5pL8mN2kR7sV4wX9yZ3aB6cD1eF8gH2j')
    .replace(/\b(?:[a-z0-9-]+\.)+(?:io|org|com|network)\b(?![:.]\w)/g, 'node7.elsewhere.net')
    .replace(/(?<![\w.#&$-])\d+(?![\w.-])/g, (number, at: number) => {
      const before = text.slice(Math.max(0, at - 12), at).toLowerCase();
      // A status or a CDN's error number is a code, not a number.
      return /(?:error|code|http|title>|h1>|status":?|code":) ?$/.test(before)
        ? number
        : `${number}7`.slice(-number.length);
    });
}

function altered(one: Case): string {
  const { body } = one.response;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return other(body);
  }
  return JSON.stringify(deep(parsed, ''));
}

const codes = new Set(['code', 'status', 'statusCode', 'StatusCode', 'id', 'jsonrpc']);

function deep(value: unknown, key: string): unknown {
  if (codes.has(key)) return value;
  if (typeof value === 'string') {
    const decoded = decodeMessage(value);
    return decoded === value ? other(value) : encodeMessage(other(decoded));
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 1 : value;
  if (Array.isArray(value)) return value.map(item => deep(item, ''));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner, name)]));
  return value;
}

describe('with other numbers, hosts and names', () => {
  test.each(answered.map(one => [one.id, one] as const))('%s', (_, one) => {
    const other = { ...one, response: { ...one.response, body: altered(one) } };
    const { verdict, tx_outcome } = one;
    expect(classify(tron, other)).toMatchObject(
      tx_outcome === undefined ? { verdict } : { verdict, txOutcome: tx_outcome },
    );
  });

  test('the alterations alter', () => {
    expect(answered.filter(one => altered(one) !== one.response.body).length).toBeGreaterThan(80);
  });
});

/** The words an answer carries, decoded. */
function wordsOf(one: Case): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(one.response.body);
  } catch {
    return [one.response.body];
  }
  return leaves(parsed);
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [decodeMessage(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

const account = { address: '41dd791d6b49e190062d650e6a23c575510d35f2f9' };
const run = { owner_address: account.address, contract_address: account.address, data: '00' };
const ethCall = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: '0x0' }, 'latest'] };

describe('its words where they are not its own', () => {
  const said = [...new Set(answered.flatMap(wordsOf))];

  test('inside a result: ok', () => {
    for (const text of said) {
      expect(
        judged(
          callFor('/wallet/getaccount', account),
          200,
          JSON.stringify({ account_name: text, balance: 1 }),
        ).verdict,
      ).toBe('ok');
      expect(
        judged(callFor('/jsonrpc', ethCall), 200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: text }))
          .verdict,
      ).toBe('ok');
      const reverted = {
        result: { result: true, message: encodeMessage(text) },
        constant_result: ['08c379a0'],
      };
      expect(
        judged(callFor('/wallet/triggerconstantcontract', run), 200, JSON.stringify(reverted)).verdict,
      ).toBe('ok');
    }
  });

  test('inside a revert reason: app_error', () => {
    for (const text of said) {
      const revert = {
        code: -32000,
        message: `REVERT opcode executed: ${text}`,
        data: `0x08c379a0${'00'.repeat(32)}`,
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: revert });
      const judgement = judged(callFor('/jsonrpc', ethCall), 200, body);
      expect([text, judgement.verdict, judgement.retryAfterMs]).toEqual([text, 'app_error', undefined]);
    }
  });

  test('as the reason of a refused transaction: rejected', () => {
    const sent = callFor('/wallet/broadcasttransaction', { raw_data: {}, signature: [] });
    for (const text of said) {
      const body = JSON.stringify({
        code: 'CONTRACT_VALIDATE_ERROR',
        message: encodeMessage(`Contract validate error : ${text}`),
      });
      expect([text, judged(sent, 200, body).txOutcome]).toEqual([text, 'rejected']);
    }
  });
});

describe('any bytes at all', () => {
  const names = [...Object.keys(paths), '/jsonrpc', '/v1/assets'];
  const anyCall = fc
    .constantFrom(...names)
    .map(path => (path === '/jsonrpc' ? callFor(path, ethCall) : callFor(path, {})));
  const telling = fc.constantFrom(
    'Error',
    'error',
    'code',
    'message',
    'result',
    'success',
    'txid',
    'block',
    'x',
  );
  const json = fc
    .dictionary(telling, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    .map(value => new TextEncoder().encode(JSON.stringify(value)));

  test('never throw, and never pass for an accepted transaction', () => {
    fc.assert(
      fc.property(
        anyCall,
        fc.oneof(fc.uint8Array({ maxLength: 200 }), json),
        fc.constantFrom(200, 204, 400, 403, 404, 405, 413, 429, 500, 503),
        (call, body, status) => {
          const judgement = judged(call, status, body);
          const accepted = judgement.txOutcome === 'accepted';
          if (accepted) expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ result: true });
          expect(judgement.verdict === 'ok' && status >= 300).toBe(false);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('every method of the table can be judged', () => {
    for (const method of Object.keys(rpcMethods))
      expect(judged(callFor('/jsonrpc', { ...ethCall, method }), 200, '{}').verdict).toBe('node_failure');
  });

  test('an answer nested deep', () => {
    const deepText = `{"Error":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    expect(judged(callFor('/wallet/getaccount', account), 200, deepText).verdict).toBe('app_error');
  });
});
