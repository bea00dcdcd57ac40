/** `rpcgw test`: one URL examined, as an endpoint of this chain would be, or one of the pool. Only allowed hosts are asked. */

import type { Check, Examination } from '../api/advice-shapes.ts';
import type { Handlers } from '../api/server.ts';
import { spanText } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { keptFrom } from '../core/history.ts';
import { shownUrl } from '../core/redact.ts';
import { runtimeWeight } from '../core/weight.ts';
import { type Examined, examine } from '../gateway/examine.ts';
import type { Chain, Member } from '../gateway/roster.ts';
import { candidateSettings, findTwin, permit } from './admin-add.ts';
import type { Desk } from './admin-desk.ts';
import { historyText } from './status.ts';

/** Nobody is asked by two tests at once. */
const atOnce = 2;

export function testHandlers(desk: Desk): Pick<Handlers, 'test'> {
  const { facts } = desk;
  let running = 0;
  return {
    async test({ chain: chainName, url, headers, name, samples }) {
      const chain = desk.chain(chainName);
      const own = name === undefined ? undefined : desk.member(chain, name).record.settings;
      const asked =
        own === undefined ? url && { url, headers } : { url: own.url, headers: { ...own.headers } };
      if (!asked || (own !== undefined && url !== undefined)) {
        throw new OperatorError('bad_admin_request', 'a test takes either a URL or the name of an endpoint');
      }
      // What the file gives is allowed by that; one of an earlier run is held to the list of today.
      const permitted = own?.origin === 'file' ? own : permit(desk, chain, asked);
      if (permitted instanceof OperatorError) throw permitted;
      if (running >= atOnce) {
        throw new OperatorError('conflict', 'other tests are running', {
          why: ['a test asks real endpoints real questions'],
          next: ['try it again in a moment'],
        });
      }
      const pool = chain.pool.records.map(record => record.settings);
      const settings = candidateSettings('tested', asked, permitted.allowPrivate, runtimeWeight(pool));
      const twin = findTwin(chain, settings);
      const tried = facts.candidate(chain.settings, settings);
      running += 1;
      try {
        const found = await examine(facts.examiner, tried.chain, tried.member, samples);
        return examination(chain, tried.member, found, twin?.name, facts.clock.wall());
      } finally {
        running -= 1;
        tried.member.line.close();
      }
    },
  };
}

function examination(
  chain: Chain,
  member: Member,
  found: Examined,
  twin: string | undefined,
  wallMs: number,
): Examination {
  const { settings, pool } = chain;
  const host = shownUrl(member.record.settings.url);
  const height = found.head.told?.height ?? null;
  const lag = height === null || pool.head.median < 0 ? null : Math.max(0, pool.head.median - height);
  const latency = quantiles(found.latencies);
  const checks = [
    reachable(found),
    identity(chain, found),
    ...(height === null ? [] : [head(chain, height, lag, found.head.told?.blockTimeMs, wallMs)]),
    ...(found.builds === undefined ? [] : [builds(found.builds)]),
    ...(found.latencies.length === 0 ? [] : [latencyCheck(found)]),
    ...(found.history.length === 0 ? [] : [historyCheck(chain, member, found)]),
    ...(height === null ? [] : [client(found.client)]),
  ];
  const failed = checks.some(({ result }) => result === 'fail');
  const warned = checks.some(({ result }) => result === 'warn');
  const addable = !failed && twin === undefined;
  return {
    chain: settings.name,
    host,
    checks:
      twin === undefined
        ? checks
        : [
            ...checks,
            { name: 'pool', result: 'info', text: `${settings.name} has this URL already: ${twin}` },
          ],
    height,
    lag,
    latencyMs: { samples: found.latencies.length, p50: latency.p50, p95: latency.p95 },
    client: found.client ?? null,
    history: historyOf(member, found),
    calls: member.stats.probes,
    verdict: failed ? 'bad' : warned ? 'usable' : 'good',
    addable,
    next: addable ? `rpcgw endpoint add ${settings.name} "$URL" --name NAME` : null,
  };
}

function reachable({ identity: asked, head: last }: Examined): Check {
  const name = 'reachable';
  if (asked.told !== undefined || last.told !== undefined)
    return { name, result: 'pass', text: 'it answers' };
  return { name, result: 'fail', text: `${asked.verdict.replaceAll('_', ' ')}: ${asked.because}` };
}

function identity(chain: Chain, { identity: { told, verdict, because } }: Examined): Check {
  const name = 'identity';
  const { name: chainName, identity: expected } = chain.settings;
  if (told === undefined)
    return {
      name,
      result: 'fail',
      text: `it does not prove what it is on (${verdict.replaceAll('_', ' ')}: ${because})`,
    };
  return told === expected
    ? { name, result: 'pass', text: `${told}, as ${chainName} is` }
    : { name, result: 'fail', text: `it says it is on ${told}, ${chainName} is ${expected}` };
}

function head(
  chain: Chain,
  height: number,
  lag: number | null,
  blockTimeMs: number | undefined,
  wallMs: number,
): Check {
  const name = 'head';
  const age =
    blockTimeMs === undefined
      ? ''
      : `, its block ${spanText(Math.max(0, Math.round((wallMs - blockTimeMs) / 1000) * 1000))} old`;
  if (lag === null)
    return { name, result: 'info', text: `${height}${age}; the pool has no head to compare with` };
  const limit = chain.pool.records.find(record => record.head.height >= 0)?.head.lagLimit ?? 0;
  const ahead = height - chain.pool.head.median;
  if (lag > limit)
    return {
      name,
      result: 'fail',
      text: `${height}, ${lag} blocks behind the pool${age}; ${limit} are allowed`,
    };
  const where =
    lag > 0 ? `${lag} behind the pool` : ahead > 0 ? `${ahead} ahead of the pool` : 'in step with the pool';
  return { name, result: 'pass', text: `${height}, ${where}${age}` };
}

function builds({ told, verdict, because }: NonNullable<Examined['builds']>): Check {
  const name = 'builds';
  if (told === true) return { name, result: 'pass', text: 'it gives what building a transfer needs' };
  return {
    name,
    result: 'fail',
    text:
      told === false
        ? 'API-only: it does not give what building a transfer needs'
        : `it does not show that it gives what building a transfer needs (${verdict.replaceAll('_', ' ')}: ${because})`,
  };
}

function latencyCheck({ latencies, failures }: Examined): Check {
  const { p50, p95 } = quantiles(latencies);
  const text = `p50 ${p50} ms, p95 ${p95} ms (${latencies.length} height reads)`;
  if (failures.length === 0) return { name: 'latency', result: 'pass', text };
  const [first] = failures;
  const failed = `${failures.length} of ${failures.length + latencies.length} failed: ${first?.verdict.replaceAll('_', ' ')}`;
  return { name: 'latency', result: 'warn', text: `${text}; ${failed}` };
}

function historyCheck(chain: Chain, member: Member, found: Examined): Check {
  const text = historyOf(member, found);
  const unknown = found.history.filter(({ lowest }) => lowest === undefined).map(({ kind }) => kind);
  if (unknown.length > 0)
    return { name: 'history', result: 'info', text: `${text}; not told: ${unknown.join(', ')}` };
  // Others of the pool may have it: it is only worth a word when nobody has.
  const full = chain.pool.records.some(
    record => keptFrom(record, 'state') === 0 || keptFrom(record, 'blocks') === 0,
  );
  const whole = found.history.every(({ lowest }) => lowest === 0);
  return { name: 'history', result: whole || full ? 'pass' : 'info', text };
}

function historyOf(member: Member, found: Examined): string {
  for (const { kind, lowest } of found.history) {
    if (lowest !== undefined) member.record.kept[kind] = { lowest, headThen: member.record.head.height };
  }
  return historyText(member.record);
}

function client(told: string | undefined): Check {
  return { name: 'client', result: 'info', text: told ?? 'not told' };
}

function quantiles(values: readonly number[]): { p50: number | null; p95: number | null } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | null => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return value === undefined ? null : Math.round(value * 10) / 10;
  };
  return { p50: at(0.5), p95: at(0.95) };
}
