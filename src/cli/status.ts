import type { ChainStatus, EndpointStatus, Status } from '../api/contract.ts';
import { spanText } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, isSet } from './context.ts';
import { span as ago, orDash, table, thousands } from './format.ts';
import { paintRows } from './paint.ts';
import { choice, span } from './values.ts';
import { isAway, onInterrupt, sleep, waitFor } from './wait.ts';

export async function run(context: CommandContext): Promise<number> {
  const [chain] = context.args;
  const only = typeof chain === 'string' ? { chain } : {};
  const ask = (): Promise<Status> => context.api.ask('status', only);
  if (choice(context, 'wait', ['ready']) !== undefined) await waitReady(context, ask);
  if (isSet(context, 'watch')) return watch(context, ask);
  const status = await ask();
  print(context, status);
  return isReady(status, only.chain) ? 0 : 1;
}

/** A whole gateway is ready when one chain may take reads; asked about one chain, that one must. */
function isReady(status: Status, only: string | undefined): boolean {
  if (only === undefined) return status.ready;
  return !status.draining && status.chains.every(chain => chain.ready);
}

async function waitReady(context: CommandContext, ask: () => Promise<Status>): Promise<void> {
  const timeoutMs = span(context, 'timeout') ?? 60_000;
  const [only] = context.args;
  onInterrupt('not ready yet, look again with: rpcgw status');
  let last: Status | undefined;
  let away: unknown;
  const ready = await waitFor(async () => {
    try {
      last = await ask();
      return isReady(last, typeof only === 'string' ? only : undefined);
    } catch (error) {
      // It may be starting.
      if (!isAway(error)) throw error;
      away = error;
      return false;
    }
  }, timeoutMs);
  if (ready) return;
  const chains = last?.chains.filter(chain => !chain.ready).map(chain => chain.name) ?? [];
  throw new OperatorError('wait_timeout', `not ready after ${spanText(timeoutMs)}`, {
    why:
      last === undefined
        ? [away instanceof OperatorError ? away.message : 'the daemon does not answer', ...whyOf(away)]
        : [last.draining ? 'it is draining' : `no endpoint may take reads on ${chains.join(', ')}`],
    next: [last === undefined ? 'systemctl status rpcgw' : 'rpcgw doctor'],
  });
}

function whyOf(error: unknown): readonly string[] {
  return error instanceof OperatorError ? error.why : [];
}

/** A screen at a time on a terminal, one after the other elsewhere. */
async function watch(context: CommandContext, ask: () => Promise<Status>): Promise<number> {
  const everyMs = Math.max(200, span(context, 'interval') ?? 2_000);
  for (;;) {
    const status = await ask();
    if (!context.json && context.width !== undefined) process.stdout.write('\u001b[H\u001b[2J');
    print(context, status);
    if (!context.json && context.width === undefined) context.out('');
    await sleep(everyMs);
  }
}

function print(context: CommandContext, status: Status): void {
  context.out(context.json ? JSON.stringify(status) : statusText(status, context));
}

/** One plain screen: who, the chains, the endpoints, what needs somebody. */
export function statusText(status: Status, context: Pick<CommandContext, 'width' | 'color'>): string {
  const now = Date.parse(status.now);
  const up = ago(now - Date.parse(status.startedAt));
  const state = status.draining ? 'DRAINING' : status.ready ? 'READY' : 'NOT READY';
  const parts = [`rpcgw ${status.version}  ${state}  up ${up}  ${status.listen}`, ...alarms(status)];
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

/** What must not be overlooked, before everything else. */
function alarms(status: Status): string[] {
  const found: string[] = [];
  if (!status.store.ok)
    found.push(`! the store cannot be written: ${status.store.reason ?? 'unknown'}; broadcasts are refused`);
  if (status.lastReload?.ok === false) found.push(`! ${status.lastReload.text}`);
  for (const { name, unknownBroadcasts: count } of status.chains) {
    if (count > 0)
      found.push(
        `! ${name}: ${count} ${count === 1 ? 'broadcast' : 'broadcasts'} of unknown outcome: rpcgw broadcasts --unknown`,
      );
  }
  return found;
}

function chainTable(chains: readonly ChainStatus[], now: number, width: number | undefined): string {
  return table(
    chains,
    [
      { title: 'CHAIN', value: chain => chain.name },
      { title: 'HEAD', value: chain => thousands(chain.head), right: true },
      {
        title: 'AGE',
        value: chain => (chain.headSince === null ? '-' : ago(now - Date.parse(chain.headSince))),
        right: true,
      },
      { title: 'USABLE', value: chain => `${chain.usable}/${chain.total}`, right: true },
      { title: 'REQ/S', value: chain => chain.requestsPerSecond.toFixed(1), right: true },
      {
        title: 'OK%',
        value: chain => (chain.okShare === null ? '-' : (chain.okShare * 100).toFixed(2)),
        right: true,
      },
      { title: 'P50', value: chain => orDash(chain.latencyMs.p50, 0), right: true, drop: 2 },
      { title: 'P95', value: chain => orDash(chain.latencyMs.p95, 0), right: true, drop: 1 },
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
      { title: 'ENDPOINT', value: endpoint => endpoint.name, cut: true },
      { title: 'STATE', value: endpoint => endpoint.stateText },
      { title: 'SCORE', value: endpoint => endpoint.score.toFixed(0), right: true },
      { title: 'WEIGHT', value: endpoint => String(endpoint.weight), right: true, drop: 1 },
      { title: 'OK%', value: endpoint => (endpoint.success * 100).toFixed(1), right: true },
      { title: 'P50', value: endpoint => orDash(endpoint.latencyMs.p50, 0), right: true, drop: 5 },
      { title: 'HEAD', value: endpoint => thousands(endpoint.head), right: true, drop: 4 },
      { title: 'LAG', value: endpoint => orDash(endpoint.lag), right: true },
      { title: 'INFL', value: endpoint => String(endpoint.inFlight), right: true, drop: 3 },
      {
        title: 'SINCE',
        value: endpoint => (endpoint.since === null ? '-' : ago(now - Date.parse(endpoint.since))),
        right: true,
        drop: 2,
      },
      { title: 'ORIGIN', value: endpoint => endpoint.origin, drop: 6 },
      { title: 'HOST', value: endpoint => endpoint.host, cut: true, drop: 7 },
    ],
    context.width,
  );
  return context.color ? paintRows(text, endpoints) : text;
}
