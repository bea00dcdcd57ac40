/** The Ethereum clients, each at a real node and through the gateway in front of the same node. */

import { minedAtWill } from '../kit/anvil.ts';
import { startGateway } from '../kit/gateway.ts';
import { curl } from './calls/curl.ts';
import { ethers } from './calls/ethers.ts';
import { viem } from './calls/viem.ts';
import { web3 } from './calls/web3.ts';
import { startEvmNode } from './evm-node.ts';
import { compare, type Row } from './session.ts';

const clients = [viem, ethers, web3, curl];

export async function evmRows(wanted: (name: string) => boolean): Promise<Row[]> {
  const chosen = clients.filter(({ name }) => wanted(name));
  if (chosen.length === 0) return [];
  const node = await startEvmNode();
  const endpoints = [{ name: 'node', url: node.anvil.url, allowPrivate: true }];
  const local = { family: 'evm', chainId: 31337, ...minedAtWill, endpoints };
  const gateway = await startGateway({ chains: { local } });
  try {
    const urls = { direct: node.anvil.url, through: `${gateway.url}/local` };
    const rows: Row[] = [];
    // One after the other: they share the node's state.
    for (const client of chosen) rows.push(await compare(client, node, urls, node.reset));
    return rows;
  } finally {
    await gateway.remove();
    await node.anvil.kill();
  }
}
