import { evm } from '../../../src/chains/evm/evm.ts';
import type { Call } from '../../../src/chains/family.ts';
import { bytes } from '../cases.ts';

const options = { maxDepth: 10, maxBatch: 1_000, development: false };

/** A client's call, opened as the daemon opens it. */
export function callOf(method: string, params?: unknown, more: Partial<typeof options> = {}): Call {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) });
  const read = evm.open({ verb: 'POST', target: '', body: bytes(text) }, { ...options, ...more });
  if (read.form !== 'single') throw new Error(`no call: ${JSON.stringify(read)}`);
  return read.call;
}
