/** The pages beside the chains: does the event loop turn, may traffic come, what is measured. */

import type { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Status } from '../api/contract.ts';
import type { Budget } from '../gateway/budget.ts';
import type { Clock } from '../gateway/ports.ts';
import type { Chain, Roster } from '../gateway/roster.ts';
import type { Store } from '../store/open.ts';
import type { Page } from './ingress.ts';
import { metricsPage } from './metrics.ts';
import { isReady, mayTakeReads, usable } from './status.ts';
import type { Counters } from './telemetry.ts';

export interface PageFacts {
  readonly roster: () => Roster;
  readonly counters: Counters;
  readonly clock: Clock;
  readonly store: Store;
  readonly budget: Budget;
  readonly version: string;
  readonly startedAtMs: number;
  readonly loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  readonly draining: () => boolean;
  readonly reloads: { readonly last: Status['lastReload'] };
}

const plain = 'text/plain; charset=utf-8';

export function pages(facts: PageFacts): (target: string) => Promise<Page | undefined> {
  return async target => {
    const [path = ''] = target.split('?');
    if (path === '/livez') return { status: 200, contentType: plain, body: 'ok\n' };
    if (path === '/readyz') return readyz(facts);
    if (path === '/metrics')
      return {
        status: 200,
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        body: await metrics(facts),
      };
    const name = /^\/readyz\/(.+)$/.exec(path)?.[1];
    const chain = name === undefined ? undefined : facts.roster().chains.get(name);
    return chain === undefined ? undefined : chainReady(chain, facts);
  };
}

function readyz(facts: PageFacts): Page {
  const { clock, roster, store, draining } = facts;
  const now = clock.now();
  const ready = isReady(roster(), draining(), now);
  const lines = [...roster().chains.values()].map(chain => line(chain, now));
  if (draining()) lines.unshift('[-] draining');
  lines.push(
    store.state.is === 'ok'
      ? '[+] store'
      : `[!] store: ${store.state.reason}; broadcasts are refused, reads go on`,
  );
  return { status: ready ? 200 : 503, contentType: plain, body: `${lines.join('\n')}\n` };
}

function chainReady(chain: Chain, { clock, draining }: PageFacts): Page {
  const now = clock.now();
  const status = !draining() && mayTakeReads(chain, now) ? 200 : 503;
  return { status, contentType: plain, body: `${line(chain, now)}\n` };
}

function line(chain: Chain, now: number): string {
  const open = usable(chain, now);
  const mark = open > 0 ? '+' : mayTakeReads(chain, now) ? '!' : '-';
  const note = chain.pool.head.oldSince === undefined ? '' : ' the chain stands still';
  return `[${mark}] ${chain.settings.name} ${open}/${chain.pool.records.length}${mark === '!' ? ' last resort only' : ''}${note}`;
}

/** How often the event loop's delay is looked at, ms. */
export const loopLookMs = 20;

/** What is told is the span between two looks, of which the event loop was late by what is over the usual one. */
function delaySeconds(spanNs: number): number {
  return Number.isFinite(spanNs) ? Math.max(0, spanNs / 1e9 - loopLookMs / 1000) : 0;
}

async function metrics(facts: PageFacts): Promise<string> {
  const { roster, counters, clock, store, budget, version, startedAtMs, loopDelay, draining } = facts;
  const unknown = await store.broadcasts.unsettled();
  const { last } = facts.reloads;
  const delay = { mean: delaySeconds(loopDelay.mean), p99: delaySeconds(loopDelay.percentile(99)) };
  loopDelay.reset();
  return metricsPage({
    roster: roster(),
    counters,
    clock,
    version,
    startedAtMs,
    ready: isReady(roster(), draining(), clock.now()),
    store: { ok: store.state.is === 'ok', ...store.counters },
    heldBytes: budget.heldBytes,
    ...(last === null ? {} : { reload: { ok: last.ok, atMs: Date.parse(last.at) } }),
    loopDelay: delay,
    unknownBroadcasts: chain => unknown[chain] ?? 0,
  });
}
