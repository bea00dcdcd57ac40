/**
 * Recorded answers of the field, each judged as `rpcgw classify` and the daemon judge it. A family joins by standing in
 * the register; what is done to its texts here is in `suites`.
 */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { classifyCase } from '../../src/chains/classify.ts';
import { families } from '../../src/chains/index.ts';
import type { FamilyName } from '../../src/core/chain.ts';

interface Case {
  readonly id: string;
  readonly family: FamilyName;
  readonly chain: string;
  readonly request: unknown;
  readonly response: {
    readonly status?: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
    readonly transport?: string;
  };
  readonly verdict: string;
  readonly tx_outcome?: string;
  readonly retry_after_s?: number;
}

interface Suite {
  /** The same answer with other numbers, hosts, names and addresses. */
  readonly altered?: (body: string) => string;
  /** Bodies in which the chain itself says the text: a revert reason, a simulation's log. */
  readonly outcomes?: (text: string) => readonly string[];
  /** A body whose result is the text. */
  readonly result?: (text: string) => string;
  readonly request?: unknown;
}

const suites: Partial<Record<FamilyName, Suite>> = {
  evm: {
    altered: alteredJsonRpc,
    outcomes: text => {
      const reason = `0x08c379a0${'0'.repeat(63)}2${'0'.repeat(62)}04${'7'.repeat(64)}`;
      return [
        { code: 3, message: `execution reverted: ${text}`, data: reason },
        { code: -32000, message: `execution reverted: ${text}` },
        { code: -32000, message: text, data: reason },
        { code: -32603, message: text, data: { message: text, data: `Reverted ${reason}` } },
        { code: -32015, message: 'VM execution error.', data: `revert: ${text}` },
        {
          code: -32603,
          message: `Error: VM Exception while processing transaction: reverted with reason string '${text}'`,
        },
      ].map(error => JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    },
    result: text => JSON.stringify({ jsonrpc: '2.0', id: 1, result: text }),
    request: { method: 'eth_call', params: [{ to: `0x${'1'.repeat(40)}` }, 'latest'] },
  },
};

function casesOf(family: string): Case[] {
  const files = [`fixtures/corpus/${family}.jsonl`, `fixtures/corpus-extra/${family}.jsonl`];
  return files.filter(existsSync).flatMap(file =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map((line): Case => JSON.parse(line)),
  );
}

/** In the corpus' own words: a transport fault is a failure of the node, and what was not sent was refused. */
function judged(record: unknown): { verdict: string; tx_outcome?: string; retry_after_s?: number } {
  const told = classifyCase(record, families, 0);
  if ('refused' in told) throw new Error(told.refused);
  return {
    verdict: told.verdict === 'transport' ? 'node_failure' : told.verdict,
    ...(told.txOutcome === undefined
      ? {}
      : { tx_outcome: told.txOutcome === 'not_sent' ? 'refused' : told.txOutcome }),
    ...(told.retryAfterSeconds === undefined ? {} : { retry_after_s: told.retryAfterSeconds }),
  };
}

function expected({ verdict, tx_outcome, retry_after_s }: Case): object {
  return {
    verdict,
    ...(tx_outcome === undefined ? {} : { tx_outcome }),
    ...(retry_after_s === undefined ? {} : { retry_after_s }),
  };
}

/** Texts of the error members only: codes, ids and results are the protocol's. */
function alteredJsonRpc(body: string): string {
  try {
    const value: unknown = JSON.parse(body.replace(/^\uFEFF/, ''));
    return JSON.stringify(value, (key, member: unknown) =>
      key === 'error' || key === 'message' ? texts(member) : member,
    );
  } catch {
    return alter(body);
  }
}

function texts(value: unknown): unknown {
  if (typeof value === 'string') return alter(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === 'code' ? member : texts(member)]),
  );
}

const names =
  /\b(alchemy|infura|quicknode|ankr|drpc|chainstack|onfinality|allnodes|nodereal|meganode|blockvision|tenderly|cloudflare|nginx|kong|nethermind|geth|erigon|besu|parity|hedera|monad)\b/gi;

function alter(text: string): string {
  return text
    .replace(/https?:\/\/[^\s"'<>]+/g, 'https://altered.test/somewhere')
    .replace(/\b[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|io|org|net|dev|xyz|example)\b/gi, 'altered.test')
    .replace(names, 'Acme')
    .replace(/\b0x[0-9a-f]{16,}\b/gi, hex => `0x${'5a'.repeat(hex.length / 2)}`.slice(0, hex.length))
    .replace(/(?<![\w.]|code: )\d[\d,.]*(?=[\s)\]}.,;:'"/>kKmMs]|$)/g, number =>
      number.replace(/\d/g, digit => String(((Number(digit) + 3) % 9) + 1)),
    );
}

/** What an answer says, as a text to be put elsewhere. */
function textOf(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const error = typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
    if (typeof error === 'string') return error;
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  } catch {
    return body;
  }
  return body;
}

for (const family of Object.values(families)) {
  const cases = casesOf(family.name);
  const suite = suites[family.name] ?? {};

  describe(`${family.name} corpus`, () => {
    test('has cases, and no id twice', () => {
      expect(cases.length).toBeGreaterThan(60);
      expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
    });

    test.each(cases.map(record => [record.id, record] as const))('%s', (_, record) => {
      expect(judged(record)).toEqual(expected(record));
    });
  });

  const { altered, outcomes, result, request } = suite;
  const spoken = cases.flatMap(record =>
    record.response.body === undefined ? [] : [{ ...record, text: record.response.body }],
  );

  if (altered !== undefined)
    describe(`${family.name} corpus with other numbers, hosts, names and addresses`, () => {
      test.each(spoken.map(record => [record.id, record] as const))('%s', (_, record) => {
        const response = { ...record.response, body: altered(record.text) };
        const { verdict, tx_outcome } = judged({ ...record, response });
        expect({ verdict, tx_outcome }).toEqual({ verdict: record.verdict, tx_outcome: record.tx_outcome });
      });
    });

  if (outcomes !== undefined && result !== undefined)
    describe(`${family.name} corpus: a text in the mouth of the chain`, () => {
      const headers = { 'content-type': 'application/json' };
      const of = (body: string) => ({
        id: 'said',
        family: family.name,
        chain: family.name,
        request,
        response: { status: 200, headers, body },
      });
      test.each(spoken.map(record => [record.id, textOf(record.text)] as const))('%s', (_, text) => {
        for (const body of outcomes(text)) expect(judged(of(body))).toEqual({ verdict: 'app_error' });
        expect(judged(of(result(text)))).toEqual({ verdict: 'ok' });
      });
    });
}
