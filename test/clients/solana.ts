/** The Solana clients, each at the real runtime behind a thin face and through the gateway in front of it. */

import { startGateway } from '../kit/gateway.ts';
import { genesisHash, startSolanaShim } from '../kit/solana-shim.ts';
import { solanaKit } from './calls/solana-kit.ts';
import { solanaWeb3 } from './calls/solana-web3.ts';
import { compare, type Row } from './session.ts';

const clients = [solanaWeb3, solanaKit];

export async function solanaRows(wanted: (name: string) => boolean): Promise<Row[]> {
  const chosen = clients.filter(({ name }) => wanted(name));
  if (chosen.length === 0) return [];
  const shim = await startSolanaShim();
  const endpoints = [{ name: 'node', url: shim.url, allowPrivate: true }];
  const gateway = await startGateway({ chains: { sol: { family: 'solana', genesisHash, endpoints } } });
  try {
    const urls = { direct: shim.url, through: `${gateway.url}/sol` };
    const rows: Row[] = [];
    for (const client of chosen) rows.push(await compare(client, shim, urls, async () => shim.reset()));
    return rows;
  } finally {
    await gateway.remove();
    await shim.close();
  }
}
