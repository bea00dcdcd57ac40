/** An XRPL server that answers with what real ones were heard to say, and takes a transaction only if the real codec does. */

import { decode, hashes, verifySignature } from 'xrpl';
import { xrpl as simulated } from '../../fixtures/sim/xrpl.ts';
import { type Answering, answering } from './answering.ts';
import { recordedAnswers } from './recorded.ts';

export interface XrplStub extends Answering {
  reset(): void;
}

/** What depends on this server's ledgers, and so is not taken from another's. */
const own = ['server_info', 'ledger', 'ledger_closed', 'ledger_current', 'account_info', 'tx'];

export async function startXrplStub(): Promise<XrplStub> {
  const answers = recordedAnswers('xrpl');
  const pool = new Map<string, string>();
  const baseHeight = 90_000_000;
  const startedMs = Date.now();
  const world = { identity: '0', blockTimeMs: 4000, baseHeight, sinceMs: startedMs, keeps: 100_000 };
  const view = { world, height: baseHeight, nowMs: startedMs, pool };

  function submit(blob: string): string {
    const invalid = (why: string): string =>
      JSON.stringify({
        result: {
          error: 'invalidTransaction',
          error_exception: why,
          request: { command: 'submit', tx_blob: blob },
          status: 'error',
        },
      });
    let tx: Record<string, unknown>;
    try {
      tx = decode(blob);
    } catch (error) {
      return invalid(String(error));
    }
    const told = (engine_result: string, code: number, message: string): string =>
      JSON.stringify({
        result: {
          accepted: code >= 0,
          applied: code >= 0,
          broadcast: code >= 0,
          engine_result,
          engine_result_code: code,
          engine_result_message: message,
          status: 'success',
          tx_blob: blob,
          tx_json: { ...tx, hash: hashes.hashSignedTx(blob) },
        },
      });
    if (!verified(blob)) return invalid('fails local checks: Invalid signature.');
    const hash = hashes.hashSignedTx(blob);
    if (pool.has(hash)) return told('tefALREADY', -198, 'The exact transaction was already in this ledger.');
    pool.set(hash, blob);
    return told('tesSUCCESS', 0, 'The transaction was applied. Only final in a validated ledger.');
  }

  const stub = await answering((path, body) => {
    const { method = '', params = [] } = JSON.parse(body) as {
      method?: string;
      params?: { tx_blob?: string }[];
    };
    if (method === 'submit') return { status: 200, body: submit(params[0]?.tx_blob ?? '') };
    const recorded = own.includes(method) ? undefined : answers.get(method);
    return recorded === undefined ? simulated.answer(path, body, view) : { status: 200, body: recorded };
  });
  return { ...stub, reset: () => pool.clear() };
}

function verified(blob: string): boolean {
  try {
    return verifySignature(blob);
  } catch {
    // A signature that is none.
    return false;
  }
}
