/** The clients of chains of which no node runs here, each at a node that answers as recorded and through the gateway. */

import { startGateway } from '../kit/gateway.ts';
import { startTronStub } from '../kit/tron-stub.ts';
import { startXrplStub } from '../kit/xrpl-stub.ts';
import { tronweb } from './calls/tronweb.ts';
import { xrpl } from './calls/xrpl.ts';
import { compare, type Row } from './session.ts';

export async function stubbedRows(wanted: (name: string) => boolean): Promise<Row[]> {
  if (!wanted('tronweb') && !wanted('xrpl')) return [];
  const [tron, ledger] = [await startTronStub(), await startXrplStub()];
  const chain = (url: string) => ({ endpoints: [{ name: 'node', url, allowPrivate: true }] });
  const gateway = await startGateway({ chains: { tron: chain(tron.url), xrpl: chain(ledger.url) } });
  try {
    const rows: Row[] = [];
    if (wanted('tronweb')) {
      const urls = { direct: tron.url, through: `${gateway.url}/tron` };
      rows.push(await compare(tronweb, tron, urls, async () => tron.reset()));
    }
    if (wanted('xrpl')) {
      const urls = { direct: ledger.url, through: `${gateway.url}/xrpl` };
      rows.push(await compare(xrpl, ledger, urls, async () => ledger.reset()));
    }
    return rows;
  } finally {
    await gateway.remove();
    await tron.close();
    await ledger.close();
  }
}
