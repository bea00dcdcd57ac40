/** What a pool costs that nobody uses: twenty chains of fifty endpoints, asked by the gateway itself and by no client. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  chainOf,
  cpuNs,
  kitFile,
  median,
  pause,
  residentMiB,
  spread,
  startProgram,
  startRpcgw,
} from '../kit/measure.ts';
import type { Row } from '../kit/report.ts';

/** By then every endpoint was asked who it is, what it keeps and which software it runs, ms. */
const settledMs = 20_000;

export const idle: Row = async ({ rounds, quick }) => {
  const nodes = await startNodes();
  const chains = Array.from({ length: 20 }, (_, n) => {
    const endpoints = Array.from({ length: 50 }, (_, e) => [`e${e}`, `${nodes.url}/${n + 1}/${e}`]);
    const settings = `    family: evm\n    chainId: ${n + 1}\n    blockTime: 12s\n`;
    return chainOf(`chain${n}`, Object.fromEntries(endpoints), settings);
  });
  const gateway = await startRpcgw(chains.join(''), []);
  const floor = await startProgram(kitFile('idle-floor.ts'), [`${nodes.url}`, '1000', '200'], 0);
  try {
    await pause(settledMs);
    const seconds = quick ? 5 : 10;
    const shares: number[] = [];
    const floors: number[] = [];
    const probesBefore = await probesOf(gateway.url);
    for (let round = 0; round < rounds; round += 1) {
      const before = { cpu: cpuNs(gateway.pid), floor: cpuNs(floor.pid), at: performance.now() };
      await pause(seconds * 1000);
      const ms = performance.now() - before.at;
      shares.push((cpuNs(gateway.pid) - before.cpu) / 1e6 / ms);
      floors.push((cpuNs(floor.pid) - before.floor) / 1e6 / ms);
    }
    const probes = (await probesOf(gateway.url)) - probesBefore;
    const [share, bare] = [100 * median(shares), 100 * median(floors)];
    return [
      {
        what: '20 × 50 endpoints',
        measured: `${Math.round(probes / rounds / seconds)} own requests a second, ${Math.round(residentMiB(gateway.pid))} MiB`,
      },
      { what: '200 requests a second by bare undici', measured: `${bare.toFixed(2)} % of a core` },
      {
        what: 'CPU while nobody asks',
        goal: 'under 1 % of a core',
        measured: `${share.toFixed(2)} % ±${(100 * spread(shares)).toFixed(0)} %, ${(share - bare).toFixed(2)} % beyond the bare requests`,
        met: share < 1,
      },
    ];
  } finally {
    for (const program of [gateway, floor, nodes]) program.stop();
  }
};

/** Nodes of every chain, in this process: only the daemon's time is counted. The chain's id is the path's first part. */
async function startNodes(): Promise<{ readonly url: string; stop(): void }> {
  // As long as geth and nginx keep a connection that nobody uses.
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    let body = '';
    request.on('data', chunk => (body += String(chunk)));
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const height = Math.floor(Date.now() / 12_000);
      const answers: Readonly<Record<string, unknown>> = {
        eth_chainId: `0x${Number(request.url?.split('/')[1]).toString(16)}`,
        eth_getBlockByNumber: {
          number: `0x${height.toString(16)}`,
          timestamp: `0x${(height * 12).toString(16)}`,
          transactions: [],
        },
        web3_clientVersion: 'Geth/v1.16.4',
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? '0x0' }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function probesOf(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return [...page.matchAll(/^rpcgw_probes_total\{[^}]*\} (\d+)/gm)].reduce(
    (sum, [, n]) => sum + Number(n),
    0,
  );
}
