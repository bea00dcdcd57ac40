/** Answers of real nodes, as the corpus has them: the first good one for each thing that can be asked. */

import { readFileSync } from 'node:fs';

interface Case {
  readonly request: { readonly path?: string; readonly method?: string | null };
  readonly response: { readonly status?: number; readonly body?: string };
  readonly verdict: string;
}

/** By path, or by method where all goes to one path. */
export function recordedAnswers(family: 'tron' | 'xrpl'): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of ['corpus', 'corpus-extra']) {
    const file = new URL(`../../fixtures/${folder}/${family}.jsonl`, import.meta.url);
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const { request, response, verdict }: Case = JSON.parse(line);
      const key = request.path ?? request.method ?? '';
      const { status, body } = response;
      if (verdict === 'ok' && status === 200 && body !== undefined && !found.has(key)) found.set(key, body);
    }
  }
  return found;
}
