import type { EndpointStatus } from '../api/contract.ts';
import type { CommandContext } from './context.ts';
import { orDash, table } from './format.ts';

export async function run(context: CommandContext): Promise<number> {
  const [chain] = context.args;
  const status = await context.api.ask('status', typeof chain === 'string' ? { chain } : {});
  if (context.json) {
    const chains = status.chains.map(({ name, strategy, endpoints }) => ({
      chain: name,
      strategy,
      endpoints: endpoints.map(scores),
    }));
    context.out(JSON.stringify({ now: status.now, chains }));
    return 0;
  }
  const parts = status.chains.map(({ name, strategy, endpoints }) =>
    [
      `${name}: strategy ${strategy}`,
      termTable(endpoints, context.width),
      ...endpoints.flatMap(gateLines),
    ].join('\n'),
  );
  context.out(parts.join('\n\n'));
  return 0;
}

function scores({ name, state, stateText, score, terms, gates }: EndpointStatus): unknown {
  return { name, state, stateText, score, terms, gates };
}

export function termTable(endpoints: readonly EndpointStatus[], width: number | undefined): string {
  const rows = endpoints.flatMap(endpoint => endpoint.terms.map(terms => ({ endpoint, terms })));
  return table(
    rows,
    [
      { title: 'ENDPOINT', value: ({ endpoint }) => endpoint.name },
      { title: 'CLASS', value: ({ terms }) => terms.class },
      { title: '100×SUCCESS', value: ({ terms }) => (100 * terms.success).toFixed(1), right: true },
      { title: '−LATENCY', value: ({ terms }) => terms.latencyPenalty.toFixed(1), right: true },
      { title: '×WEIGHT', value: ({ terms }) => String(terms.weight), right: true },
      { title: '=SCORE', value: ({ terms }) => terms.score.toFixed(0), right: true },
      { title: 'LATENCY', value: ({ terms }) => orDash(terms.latencyMs, 1), right: true, drop: 1 },
      { title: 'MEDIAN', value: ({ terms }) => orDash(terms.poolMedianMs, 1), right: true, drop: 2 },
      { title: 'STATE', value: ({ endpoint }) => endpoint.stateText, drop: 3 },
    ],
    width,
  );
}

export function gateLines({ name, gates }: EndpointStatus): string[] {
  return gates.flatMap(gate => {
    const times = [
      gate.since === null ? '' : ` since ${gate.since}`,
      gate.until === null ? '' : ` until ${gate.until}`,
    ].join('');
    const line = `  ${name}: held by ${gate.name}${gate.hard ? ' (hard)' : ''}: ${gate.reason}${times}`;
    return gate.next === null ? [line] : [line, `      next: ${gate.next}`];
  });
}
