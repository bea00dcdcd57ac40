import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { Status } from '../api/contract.ts';
import { ms, span, thousands } from '../cli/format.ts';
import { ends, Line, type Span, type Spans, spansWidth } from './line.tsx';
import { isLost, linkText } from './link-text.ts';
import { needsOf, needsSpans, unknownSpans } from './needs.ts';
import type { Scene } from './scene.ts';
import { spark } from './spark.ts';
import { clockText, percentText } from './text.ts';
import type { Values } from './trail.ts';

/** Three rows: who it is and how it stands, the traffic, what needs somebody. */
export function Header({ scene }: { scene: Scene }): ReactElement {
  const { status, trail, display, now } = scene;
  const { columns } = display;
  const unknown = unknownSpans(status);
  const needs = needsSpans(needsOf(status, now), status, columns - spansWidth(unknown) - 1);
  return (
    <Box flexDirection="column">
      <Line
        display={display}
        spans={ends(whoSpans(status, now, !isLost(scene)), stampSpans(scene), columns)}
      />
      <Line
        display={display}
        spans={ends(trafficSpans(status, trail.total, columns), costSpans(status, columns), columns)}
      />
      <Line display={display} spans={ends(needs, unknown, columns)} />
    </Box>
  );
}

/** `answers`: the daemon does; else what it last said of itself is no news. */
export function whoSpans(status: Status, now: number, answers: boolean): Spans {
  const ready: Span = !answers
    ? { text: 'NO ANSWER', tone: 'alarm' }
    : status.draining
      ? { text: 'DRAINING', tone: 'warn' }
      : status.ready
        ? { text: 'READY', tone: 'good' }
        : { text: 'NOT READY', tone: 'alarm' };
  return [
    { text: ` rpcgw ${status.version}`, tone: 'strong' },
    { text: '  ' },
    ready,
    {
      text: `  ${status.listen.replace(/^https?:\/\//, '')}  up ${span(now - Date.parse(status.startedAt))}`,
    },
  ];
}

function stampSpans(scene: Scene): Spans {
  const { now, tick, view, display } = scene;
  const seconds = view.intervalMs / 1000;
  const every = display.columns < 100 ? '' : `every ${seconds}s  `;
  const clock = `${every}${clockText(now)}Z `;
  const said = linkText(scene);
  if (said !== undefined) {
    return [
      { text: said.lost ? ` ${said.text} ` : said.text, tone: said.lost ? 'shout' : 'good' },
      { text: said.lost ? ' ' : `  ${clock}`, tone: 'quiet' },
    ];
  }
  if (view.paused !== undefined)
    return [{ text: ` PAUSED for ${span(tick - view.paused.at)} `, tone: 'shout' }, { text: ' ' }];
  return [{ text: clock, tone: 'quiet' }];
}

export function trafficSpans(status: Status, total: Values, columns: number): Spans {
  const { chains } = status;
  const rate = chains.reduce((sum, chain) => sum + chain.requestsPerSecond, 0);
  const inFlight = chains.reduce((sum, chain) => sum + chain.inFlight, 0);
  const slowest = chains.toSorted((a, b) => (b.latencyMs.p95 ?? 0) - (a.latencyMs.p95 ?? 0))[0];
  const narrow = columns < 110;
  return [
    { text: ` ${thousands(Math.round(rate))} req/s` },
    { text: total.length === 0 ? '' : ` ${spark(total, narrow ? 6 : 16)}` },
    { text: `  ok ${percentText(okShare(status), 2)}  in flight ${thousands(inFlight)}` },
    ...(slowest?.latencyMs.p95 == null
      ? []
      : [{ text: `  slowest ${narrow ? '' : `${slowest.name} `}p95 ${ms(slowest.latencyMs.p95)}` }]),
  ];
}

/** What the gateway costs by itself: its own requests use up quotas too. */
function costSpans(status: Status, columns: number): Spans {
  const probes = status.chains
    .flatMap(chain => chain.endpoints)
    .reduce((sum, endpoint) => sum + endpoint.probesToday, 0);
  return [{ text: `${thousands(probes)} ${columns < 110 ? 'probes' : 'own probes today'} `, tone: 'quiet' }];
}

/** Of all chains, each weighing as much as it has answered. */
function okShare(status: Status): number | null {
  let good = 0;
  let all = 0;
  for (const chain of status.chains) {
    const requests = chain.endpoints.reduce((sum, endpoint) => sum + endpoint.requests, 0);
    if (chain.okShare === null) continue;
    good += chain.okShare * requests;
    all += requests;
  }
  return all === 0 ? null : good / all;
}
