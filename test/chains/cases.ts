/** The recorded answers of one family, the given corpus and our own, and ways to change them. */

import { readFileSync } from 'node:fs';
import type { FamilyName } from '../../src/core/chain.ts';
import type { TxOutcome, Verdict } from '../../src/core/verdict.ts';

export interface Case {
  readonly id: string;
  readonly chain: string;
  readonly request: unknown;
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
    readonly transport?: string;
  };
  readonly verdict: Verdict;
  readonly tx_outcome?: TxOutcome;
  readonly retry_after_s?: number;
}

export function casesOf(family: FamilyName): readonly Case[] {
  return ['corpus', 'corpus-extra'].flatMap(folder => {
    const text = readFileSync(new URL(`../../fixtures/${folder}/${family}.jsonl`, import.meta.url), 'utf8');
    // The files are ours, and the form is theirs.
    return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line) as Case]));
  });
}

/** Answered cases only: what has no HTTP answer is not judged by a family. */
export function answeredOf(family: FamilyName): readonly Case[] {
  return casesOf(family).filter(({ response }) => response.transport === undefined);
}

const spoken = new Set(['message', 'error_message', 'engine_result_message', 'details', 'reason']);

/** Other numbers, hosts and names, in what is said and nowhere else. */
export function altered({ response, ...rest }: Case): Case {
  let body = response.body;
  try {
    body = JSON.stringify(JSON.parse(body), (key, value: unknown) =>
      typeof value === 'string' && spoken.has(key) ? otherWords(value) : value,
    );
  } catch {
    if (!body.startsWith('{') && !body.startsWith('[')) body = otherWords(body);
  }
  return { ...rest, response: { ...response, body } };
}

function otherWords(text: string): string {
  return text
    .replace(/https?:\/\/\S+/g, 'https://node.test/page')
    .replace(/[\w.+-]+@[\w-]+\.\w+/g, 'someone@node.test')
    .replace(/\b[\w-]+\.(?:com|org|io|net|dev)\b/g, 'node.test')
    .replace(/quicknode|alchemy|helius|infura|chainstack|rpcpool|ankr|tatum/gi, 'acme')
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{32,}\b/g, 'Vote111111111111111111111111111111111111111')
    .replace(/\d+/g, digits => [...digits].map(digit => String((Number(digit) + 3) % 10 || 1)).join(''));
}

const encoder = new TextEncoder();

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}
