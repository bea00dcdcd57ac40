import type { EndpointDetail } from '../api/contract.ts';
import { arg, type CommandContext } from './context.ts';
import { line as eventLine } from './events.ts';
import { ms, span, thousands } from './format.ts';
import { paintRows } from './paint.ts';
import { gateLines, termTable } from './scores.ts';

export async function run(context: CommandContext): Promise<number> {
  const detail = await context.api.ask('endpointShow', { chain: arg(context, 0), name: arg(context, 1) });
  context.out(context.json ? JSON.stringify(detail) : text(detail, context));
  return 0;
}

function text(detail: EndpointDetail, context: CommandContext): string {
  const { endpoint, settings } = detail;
  const now = Date.parse(detail.now);
  const since = endpoint.since === null ? '' : ` since ${span(now - Date.parse(endpoint.since))}`;
  const until = endpoint.until === null ? '' : `, until ${endpoint.until}`;
  const head = `${endpoint.chain}/${endpoint.name}  ${endpoint.stateText}${since}${until}`;
  const why = endpoint.reason === null ? [] : [`  ${endpoint.reason}`];
  const next = endpoint.next === null ? [] : [`  next: ${endpoint.next}`];
  const facts: readonly (readonly [string, string])[] = [
    ['host', endpoint.host],
    ['origin', detail.addedAt === null ? endpoint.origin : `${endpoint.origin}, added ${detail.addedAt}`],
    ['weight', weightText(detail)],
    ['roles', `${settings.roles.join(', ')}; broadcast ${settings.broadcast}`],
    [
      'limits',
      `${settings.maxInFlight} in flight, ${settings.rps === null ? 'any number of' : settings.rps} requests a second`,
    ],
    ['headers', settings.headers.join(', ') || 'none'],
    ['labels', labels(settings.labels)],
    [
      'identity',
      `${detail.identity.state}${detail.identity.claims === null ? '' : `: ${detail.identity.claims}`}`,
    ],
    ['client', endpoint.client ?? 'not told'],
    ['history', endpoint.history],
    [
      'head',
      endpoint.head === null ? 'not known' : `${thousands(endpoint.head)}, lag ${endpoint.lag ?? '-'}`,
    ],
    [
      'latency',
      `p50 ${ms(endpoint.latencyMs.p50)}, p95 ${ms(endpoint.latencyMs.p95)}, p99 ${ms(endpoint.latencyMs.p99)}`,
    ],
    [
      'traffic',
      `${endpoint.requestsPerSecond.toFixed(1)} a second, ${endpoint.inFlight} in flight, ${endpoint.requests} since the start`,
    ],
    ['verdicts', counts(endpoint.verdicts)],
    ['probes', `${endpoint.probesToday} today`],
    ['lacks', detail.unsupported.map(({ method }) => method).join(', ') || 'no method that was asked for'],
  ];
  const list = facts.map(([name, value]) => `  ${name.padEnd(10)}${value}`);
  const switched = detail.overrides.map(({ what, value, since: from, until: end }) => {
    const words = what === 'weight' ? `weight ${value}` : `${what} ${value === 1 ? 'on' : 'off'}`;
    return `  switched: ${words} since ${from}${end === null ? '' : `, until ${end}`}`;
  });
  const events = detail.events.map(event => `  ${eventLine(event)}`);
  return [
    context.color ? paintRows(`\n${head}`, [endpoint]).slice(1) : head,
    ...why,
    ...next,
    '',
    ...list,
    ...switched,
    '',
    termTable([endpoint], context.width),
    ...gateLines(endpoint),
    ...(events.length === 0 ? [] : ['', 'lately:', ...events]),
  ].join('\n');
}

function weightText({ endpoint, settings, weightBound }: EndpointDetail): string {
  const own = endpoint.weight === settings.weight ? '' : `, ${settings.weight} by its settings`;
  return `${endpoint.weight}${own}; at most ${weightBound} at runtime`;
}

function labels(all: Readonly<Record<string, string>>): string {
  return (
    Object.entries(all)
      .map(pair => pair.join('='))
      .join(', ') || 'none'
  );
}

function counts(verdicts: Readonly<Record<string, number>>): string {
  const some = Object.entries(verdicts).filter(([, count]) => count > 0);
  return some.map(([verdict, count]) => `${verdict} ${count}`).join(', ') || 'none yet';
}
