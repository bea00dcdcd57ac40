/** The corpus as the tests of this family read it. */

import { readFileSync } from 'node:fs';
import type { Answer, Call, JudgeContext } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { paths } from '../../../src/chains/tron/methods.ts';
import { pathCall } from '../../../src/chains/tron/open.ts';
import type { Judgement } from '../../../src/core/verdict.ts';

export interface Case {
  readonly id: string;
  readonly request: { readonly path: string; readonly verb: 'GET' | 'POST'; readonly body?: unknown };
  readonly response:
    | { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
    | { readonly transport: string };
  readonly verdict: string;
  readonly tx_outcome?: string;
  readonly retry_after_s?: number;
  readonly source: string;
}

export type Answered = Case & {
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: string;
  };
};

function load(folder: string): Case[] {
  const text = readFileSync(new URL(`../../../fixtures/${folder}/tron.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter(line => line !== '')
    .map((line): Case => JSON.parse(line));
}

export const corpus = load('corpus');
export const extra = load('corpus-extra');

export function isAnswered(one: Case): one is Answered {
  return 'status' in one.response;
}

export const answered = [...corpus, ...extra].filter(isAnswered);

export const utf8 = new TextEncoder();
export const options = { maxDepth: 12, maxBatch: 100, development: false };

export function callFor(path: string, body?: unknown, verb: 'GET' | 'POST' = 'POST'): Call {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const opened = tron.open({ verb, target: path, body: utf8.encode(text) }, options);
  if (opened.form === 'single') return opened.call;
  // A body that the gateway refuses may still have been answered by a node.
  return pathCall(path, paths[path] ?? { kind: 'read' }, verb, path, utf8.encode(text));
}

export function judged(
  call: Call,
  status: number,
  body: string | Uint8Array,
  more: Partial<Pick<Answer, 'headers'> & JudgeContext> = {},
): Judgement {
  const { headers = {}, ...context } = more;
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  return tron.judge(call, { status, headers, body: bytes }, { nowMs: 0, chain: 'tron', ...context });
}

export function judgeCase(one: Answered, body = one.response.body): Judgement {
  const { path, body: sent, verb } = one.request;
  return judged(callFor(path, sent, verb), one.response.status, body, { headers: one.response.headers });
}
