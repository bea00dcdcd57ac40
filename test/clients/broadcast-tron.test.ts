import { createHash } from 'node:crypto';
import { TronWeb } from 'tronweb';
import { broadcastTests, type Pool, troubles, type Way } from './broadcast-pools.ts';

/** The real library builds, signs and sends; whatever happens to the transaction, it reaches the upstreams once. */

const key = '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
const to = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL';

async function signed(pool: Pool) {
  const tronWeb = new TronWeb({ fullHost: pool.url, privateKey: key });
  const owner = tronWeb.address.fromPrivateKey(key);
  if (owner === false) throw new Error('no address');
  // Of a block that it need not ask for: the time is that of the test's own chain.
  const blockHeader = {
    ref_block_bytes: '1234',
    ref_block_hash: '00112233445566aa',
    expiration: 1_777_447_527_000,
    timestamp: 1_777_447_467_000,
  };
  const unsigned = await tronWeb.transactionBuilder.sendTrx(to, pool.number, owner, { blockHeader });
  return { tronWeb, transaction: await tronWeb.trx.sign(unsigned, key) };
}

const ways: readonly Way[] = [
  {
    named: 'tronweb sendRawTransaction',
    id: async pool => (await signed(pool)).transaction.txID,
    async send(pool) {
      const { tronWeb, transaction } = await signed(pool);
      return told(await tronWeb.trx.sendRawTransaction(transaction));
    },
  },
  {
    named: 'tronweb sendHexTransaction',
    id: async pool => (await signed(pool)).transaction.txID,
    async send(pool) {
      const { tronWeb, transaction } = await signed(pool);
      const hex = tronWeb.utils.transaction.txJsonToPb(transaction);
      for (const signature of transaction.signature)
        hex.addSignature(Uint8Array.from(Buffer.from(signature, 'hex')));
      return told(await tronWeb.trx.sendHexTransaction(Buffer.from(hex.serializeBinary()).toString('hex')));
    },
  },
];

/** It does not throw: what a node says is in its answer. */
function told(answer: object): string {
  const { result, txid, code } = answer as { result?: boolean; txid?: string; code?: string };
  if (result !== true) throw new Error(code ?? JSON.stringify(answer));
  return txid ?? '';
}

broadcastTests(ways, {
  family: 'tron',
  troubles,
  takes(target, body) {
    const sent = JSON.parse(body) as { raw_data_hex?: string; transaction?: string };
    const raw = sent.raw_data_hex ?? firstField(sent.transaction ?? '');
    const txid = createHash('sha256').update(Buffer.from(raw, 'hex')).digest('hex');
    if (!target.includes('broadcast')) throw new Error(`${target} is no broadcast`);
    const told = sent.raw_data_hex === undefined ? { transaction: JSON.stringify({ txID: txid }) } : {};
    return JSON.stringify({ result: true, txid, ...told });
  },
  carries: target => target.includes('broadcast'),
});

/** `raw_data` of a serialized transaction: field 1, its length in one or two bytes. */
function firstField(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const [, low = 0, high = 0] = bytes;
  const [at, length] = low < 0x80 ? [2, low] : [3, (low & 0x7f) + 128 * high];
  return bytes.subarray(at, at + length).toString('hex');
}
