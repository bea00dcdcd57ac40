import { base58 } from '@scure/base';
import { createSolanaRpc, getBase64EncodedWireTransaction, getTransactionDecoder } from '@solana/kit';
import { Connection, Keypair, SystemProgram, Transaction, VersionedTransaction } from '@solana/web3.js';
import { broadcastTests, type Pool, troubles, type Way } from './broadcast-pools.ts';

/** Real libraries, real signatures: whatever happens to the transaction, it reaches the upstreams once. */

const payer = Keypair.fromSeed(new Uint8Array(32).fill(5));
const receiver = Keypair.fromSeed(new Uint8Array(32).fill(6));

function signed({ number }: Pool): Uint8Array {
  const recentBlockhash = base58.encode(new Uint8Array(32).fill(9));
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash }).add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: receiver.publicKey, lamports: number }),
  );
  transaction.sign(payer);
  return transaction.serialize();
}

const id = async (pool: Pool): Promise<string> => base58.encode(signed(pool).subarray(1, 65));

const ways: readonly Way[] = [
  {
    named: '@solana/web3.js sendRawTransaction',
    id,
    send: pool => new Connection(pool.url).sendRawTransaction(signed(pool)),
  },
  {
    named: '@solana/web3.js sendTransaction',
    id,
    send: pool => new Connection(pool.url).sendTransaction(VersionedTransaction.deserialize(signed(pool))),
  },
  {
    named: '@solana/kit sendTransaction',
    id,
    send: pool =>
      createSolanaRpc(pool.url)
        .sendTransaction(getBase64EncodedWireTransaction(getTransactionDecoder().decode(signed(pool))), {
          encoding: 'base64',
        })
        .send(),
  },
];

broadcastTests(ways, {
  family: 'solana',
  troubles,
  takes(_, body) {
    const { id, params } = JSON.parse(body) as {
      id: unknown;
      params: readonly [string, { encoding?: string }?];
    };
    const [text, options] = params;
    const bytes = options?.encoding === 'base64' ? Buffer.from(text, 'base64') : base58.decode(text);
    return JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: base58.encode(Uint8Array.from(bytes).subarray(1, 65)),
    });
  },
  carries: (_, body) => body.includes('"sendTransaction"'),
});
