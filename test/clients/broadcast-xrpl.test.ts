import { createHash } from 'node:crypto';
import { hashes, Wallet } from 'xrpl';
import { broadcastTests, type Pool, troubles, type Way } from './broadcast-pools.ts';

/**
 * Signed by the real library, and sent as JSON-RPC the way the Python one sends it; the JavaScript one speaks WebSocket only.
 */

const wallet = Wallet.fromEntropy(new Uint8Array(16).fill(7));
const receiver = Wallet.fromEntropy(new Uint8Array(16).fill(8));

function blob({ number }: Pool): string {
  return wallet.sign({
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: receiver.address,
    Amount: '1000000',
    Fee: '12',
    Sequence: 1,
    LastLedgerSequence: 5_000,
    NetworkID: number,
  }).tx_blob;
}

async function submit(url: string, params: object): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ method: 'submit', params: [params] }),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { result } = (await response.json()) as {
    result: { status: string; error?: string; engine_result?: string; tx_json?: { hash: string } };
  };
  if (result.status !== 'success') throw new Error(result.error);
  return result.tx_json?.hash ?? '';
}

const ways: readonly Way[] = [
  {
    named: 'submit as xrpl-py sends it',
    id: async pool => hashes.hashSignedTx(blob(pool)),
    send: pool => submit(pool.url, { tx_blob: blob(pool), fail_hard: false, id: `submit_${pool.number}` }),
  },
  {
    named: 'submit with nothing but the blob',
    id: async pool => hashes.hashSignedTx(blob(pool)),
    send: pool => submit(pool.url, { tx_blob: blob(pool) }),
  },
];

broadcastTests(ways, {
  family: 'xrpl',
  troubles,
  takes(_, body) {
    const { params } = JSON.parse(body) as { params: readonly [{ tx_blob: string; id?: string }] };
    const [{ tx_blob, id }] = params;
    const hash = createHash('sha512')
      .update(Buffer.from(`54584E00${tx_blob}`, 'hex'))
      .digest('hex')
      .slice(0, 64)
      .toUpperCase();
    const result = {
      status: 'success',
      engine_result: 'tesSUCCESS',
      engine_result_code: 0,
      engine_result_message: 'The transaction was applied.',
      accepted: true,
      applied: true,
      broadcast: true,
      kept: true,
      queued: false,
      tx_blob,
      tx_json: { hash },
    };
    return JSON.stringify({ result, ...(id === undefined ? {} : { id }) });
  },
  carries: (_, body) => body.includes('"submit"'),
});
