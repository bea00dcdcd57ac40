import type { Call } from '../../../src/chains/family.ts';
import { probeCall } from '../../../src/chains/jsonrpc.ts';
import { methodOf } from '../../../src/chains/solana/params.ts';

export function call(method: string, params: readonly unknown[] = []): Call {
  return probeCall(method, params, methodOf);
}
