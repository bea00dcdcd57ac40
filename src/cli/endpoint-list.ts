import type { EndpointStatus } from '../api/contract.ts';
import { stateWords } from '../core/state.ts';
import { type CommandContext, isSet } from './context.ts';
import { endpointTable } from './status.ts';
import { span } from './values.ts';
import { sleep } from './wait.ts';

const worstFirst = Object.keys(stateWords);

export async function run(context: CommandContext): Promise<number> {
  const [chain] = context.args;
  const only = typeof chain === 'string' ? { chain } : {};
  const look = async (): Promise<{ now: string; endpoints: EndpointStatus[] }> => {
    const status = await context.api.ask('status', only);
    const endpoints = status.chains
      .flatMap(each => each.endpoints)
      .sort((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state) || compare(a, b));
    return { now: status.now, endpoints };
  };
  const first = await look();
  if (context.json && !isSet(context, 'watch')) context.out(JSON.stringify({ endpoints: first.endpoints }));
  else if (context.json) for (const endpoint of first.endpoints) context.out(JSON.stringify(endpoint));
  else {
    const named = first.endpoints.map(endpoint => ({ ...endpoint, name: whole(endpoint) }));
    context.out(endpointTable(named, Date.parse(first.now), context));
  }
  return isSet(context, 'watch') ? watch(context, first.endpoints, look) : 0;
}

/** A line for each endpoint whose state is another one than when it was last looked at; one that is gone, too. */
async function watch(
  context: CommandContext,
  first: readonly EndpointStatus[],
  look: () => Promise<{ now: string; endpoints: EndpointStatus[] }>,
): Promise<number> {
  const everyMs = Math.max(200, span(context, 'interval') ?? 1_000);
  let before = new Map(first.map(endpoint => [whole(endpoint), endpoint]));
  for (;;) {
    await sleep(everyMs);
    const { now, endpoints } = await look();
    const after = new Map(endpoints.map(endpoint => [whole(endpoint), endpoint]));
    for (const [name, endpoint] of after) {
      const was = before.get(name);
      if (was?.state === endpoint.state && was.weight === endpoint.weight) continue;
      if (context.json) context.out(JSON.stringify(endpoint));
      else context.out(line(now, name, was, endpoint));
    }
    for (const name of before.keys())
      if (!after.has(name) && !context.json) context.out(`${now}  ${name}  gone`);
    before = after;
  }
}

function line(now: string, name: string, was: EndpointStatus | undefined, is: EndpointStatus): string {
  const from = was === undefined ? 'new' : was.stateText;
  const weight = was !== undefined && was.weight !== is.weight ? `  weight ${was.weight} → ${is.weight}` : '';
  return `${now}  ${name}  ${from} → ${is.stateText}${weight}  ${is.reason ?? ''}`.trimEnd();
}

function compare(a: EndpointStatus, b: EndpointStatus): number {
  return a.chain.localeCompare(b.chain) || a.name.localeCompare(b.name);
}

function whole({ chain, name }: EndpointStatus): string {
  return `${chain}/${name}`;
}
