import type { ChainStatus, EndpointStatus, Status } from '../api/contract.ts';
import type { CommandContext } from './context.ts';
import { orDash, span, table, thousands } from './format.ts';
import { paint } from './paint.ts';

export async function run(context: CommandContext): Promise<number> {
  const [chain] = context.args;
  const status = await context.api.ask('status', typeof chain === 'string' ? { chain } : {});
  if (context.json) context.out(JSON.stringify(status));
  else context.out(statusText(status, context));
  return status.ready ? 0 : 1;
}

/** One plain screen: who, the chains, the endpoints, what needs somebody. */
export function statusText(status: Status, context: Pick<CommandContext, 'width' | 'color'>): string {
  const now = Date.parse(status.now);
  const up = span(now - Date.parse(status.startedAt));
  const state = status.draining ? 'DRAINING' : status.ready ? 'READY' : 'NOT READY';
  const parts = [`rpcgw ${status.version}  ${state}  up ${up}  ${status.listen}`];
  if (!status.store.ok)
    parts.push(`! the store cannot be written: ${status.store.reason ?? 'unknown'}; broadcasts are refused`);
  parts.push('', chainTable(status.chains, now, context.width));
  for (const chain of status.chains) {
    parts.push('', `${chain.name}: ${chain.family}, strategy ${chain.strategy}`);
    for (const note of chain.notes) parts.push(`  ! ${note}`);
    parts.push(endpointTable(chain.endpoints, now, context));
  }
  const troubled = status.chains
    .flatMap(chain => chain.endpoints)
    .filter(endpoint => endpoint.state !== 'healthy');
  if (troubled.length > 0) parts.push('', 'needs you:');
  for (const endpoint of troubled) {
    parts.push(`  ${endpoint.chain}/${endpoint.name} ${endpoint.stateText}: ${endpoint.reason ?? ''}`);
    if (endpoint.next !== null) parts.push(`      next: ${endpoint.next}`);
  }
  return parts.join('\n');
}

function chainTable(chains: readonly ChainStatus[], now: number, width: number | undefined): string {
  return table(
    chains,
    [
      { title: 'CHAIN', value: chain => chain.name },
      { title: 'HEAD', value: chain => thousands(chain.head), right: true },
      {
        title: 'AGE',
        value: chain => (chain.headSince === null ? '-' : span(now - Date.parse(chain.headSince))),
        right: true,
      },
      { title: 'USABLE', value: chain => `${chain.usable}/${chain.total}`, right: true },
      { title: 'REQ/S', value: chain => chain.requestsPerSecond.toFixed(1), right: true },
      {
        title: 'OK%',
        value: chain => (chain.okShare === null ? '-' : (chain.okShare * 100).toFixed(2)),
        right: true,
      },
      { title: 'P50', value: chain => orDash(chain.latencyMs.p50, 0), right: true },
      { title: 'P95', value: chain => orDash(chain.latencyMs.p95, 0), right: true },
      { title: 'NOTE', value: chain => (chain.oldHead ? 'the chain stands still' : ''), cut: true },
    ],
    width,
  );
}

export function endpointTable(
  endpoints: readonly EndpointStatus[],
  now: number,
  context: Pick<CommandContext, 'width' | 'color'>,
): string {
  const text = table(
    endpoints,
    [
      { title: 'ENDPOINT', value: endpoint => endpoint.name },
      { title: 'STATE', value: endpoint => endpoint.stateText },
      { title: 'SCORE', value: endpoint => endpoint.score.toFixed(0), right: true },
      { title: 'WEIGHT', value: endpoint => String(endpoint.weight), right: true },
      { title: 'OK%', value: endpoint => (endpoint.success * 100).toFixed(1), right: true },
      { title: 'P50', value: endpoint => orDash(endpoint.latencyMs.p50, 0), right: true },
      { title: 'HEAD', value: endpoint => thousands(endpoint.head), right: true },
      { title: 'LAG', value: endpoint => orDash(endpoint.lag), right: true },
      { title: 'INFL', value: endpoint => String(endpoint.inFlight), right: true },
      {
        title: 'SINCE',
        value: endpoint => (endpoint.since === null ? '-' : span(now - Date.parse(endpoint.since))),
        right: true,
      },
      { title: 'ORIGIN', value: endpoint => endpoint.origin },
      { title: 'HOST', value: endpoint => endpoint.host, cut: true },
    ],
    context.width,
  );
  if (!context.color) return text;
  const [head = '', ...lines] = text.split('\n');
  return [head, ...lines.map((line, at) => paint(line, endpoints[at]?.state))].join('\n');
}
