import type { Call } from '../../../src/chains/family.ts';
import { xrpl } from '../../../src/chains/xrpl/index.ts';
import { bytes } from '../cases.ts';

export const limits = { maxDepth: 10, maxBatch: 1000, development: false };

export function opened(body: string, target = ''): ReturnType<typeof xrpl.open> {
  return xrpl.open({ verb: 'POST', target, body: bytes(body) }, limits);
}

export function call(method: string, ...params: readonly object[]): Call {
  const read = opened(JSON.stringify({ method, params }));
  if (read.form !== 'single') throw new Error(`refused: ${JSON.stringify(read)}`);
  return read.call;
}
