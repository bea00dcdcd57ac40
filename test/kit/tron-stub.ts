/** A TRON node that answers with what real ones were heard to say, and takes a transaction only if the real codec does. */

import { createHash } from 'node:crypto';
import { TronWeb, utils } from 'tronweb';
import { type Answering, answering } from './answering.ts';
import { recordedAnswers } from './recorded.ts';

const genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

type Body = Readonly<Record<string, unknown>>;

export interface TronStub extends Answering {
  reset(): void;
}

export async function startTronStub(): Promise<TronStub> {
  const answers = recordedAnswers('tron');
  const taken = new Set<string>();
  const now = answers.get('/wallet/getnowblock') ?? '{}';

  const refused = (code: string, text: string, txid: string): string =>
    JSON.stringify({ code, txid, message: Buffer.from(text).toString('hex') });

  function broadcast(body: Body): string {
    const raw = String(body.raw_data_hex);
    const txid = createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
    // The library's own types of a transaction; the codec throws or says no when it is none.
    const transaction = body as unknown as Parameters<typeof utils.transaction.txCheck>[0];
    if (!utils.transaction.txCheck(transaction))
      return refused('OTHER_ERROR', 'the raw data is not what it says', txid);
    if (taken.has(txid)) return refused('DUP_TRANSACTION_ERROR', 'Dup transaction.', txid);
    const [signature = ''] = body.signature as readonly string[];
    const { contract } = body.raw_data as {
      contract: readonly { parameter: { value: { owner_address: string } } }[];
    };
    const signer = recovered(txid, signature);
    if (signer !== contract[0]?.parameter.value.owner_address.toLowerCase())
      return refused('SIGERROR', `Validate signature error: ${signature} is signed by another`, txid);
    taken.add(txid);
    return JSON.stringify({ result: true, txid });
  }

  const stub = await answering((path, text) => {
    const [target = ''] = path.split('?');
    const body: Body = text === '' ? {} : JSON.parse(text);
    const reply = (): string | undefined => {
      if (target === '/wallet/broadcasttransaction') return broadcast(body);
      if (target === '/wallet/getblock' && String(body.id_or_num) === '0')
        return JSON.stringify({ blockID: genesis, block_header: { raw_data: {} } });
      if (target === '/wallet/getblock') return now;
      return answers.get(target) ?? answers.get(target.replace('/walletsolidity/', '/wallet/'));
    };
    const answer = reply();
    if (answer !== undefined) return { status: 200, body: answer };
    return {
      status: 404,
      body: '<html><body><h2>HTTP ERROR 404</h2></body></html>',
      headers: { 'content-type': 'text/html' },
    };
  });
  return { ...stub, reset: () => taken.clear() };
}

function recovered(txid: string, signature: string): string {
  try {
    return TronWeb.address.toHex(utils.crypto.ecRecover(txid, signature)).toLowerCase();
  } catch {
    // A signature that belongs to nobody.
    return '';
  }
}
