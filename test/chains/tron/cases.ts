/** Calls and judgements as the tests of this family make them. */

import type { Answer, Call, JudgeContext } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { paths } from '../../../src/chains/tron/methods.ts';
import { pathCall } from '../../../src/chains/tron/open.ts';
import type { Judgement } from '../../../src/core/verdict.ts';

export const utf8 = new TextEncoder();
export const options = { maxDepth: 12, maxBatch: 100, development: false };

export function callFor(path: string, body?: unknown, verb: 'GET' | 'POST' = 'POST'): Call {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const opened = tron.open({ verb, target: path, body: utf8.encode(text) }, options);
  if (opened.form === 'single') return opened.call;
  // What the gateway refuses to send can still be looked at.
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
