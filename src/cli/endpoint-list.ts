import { endpointStates } from '../api/contract.ts';
import type { CommandContext } from './context.ts';
import { endpointTable } from './status.ts';

export async function run(context: CommandContext): Promise<number> {
  const [chain] = context.args;
  const status = await context.api.ask('status', typeof chain === 'string' ? { chain } : {});
  const endpoints = status.chains
    .flatMap(each => each.endpoints)
    .sort(
      (a, b) =>
        endpointStates.indexOf(a.state) - endpointStates.indexOf(b.state) || a.chain.localeCompare(b.chain),
    );
  if (context.json) context.out(JSON.stringify({ endpoints }));
  else {
    const named = endpoints.map(endpoint => ({ ...endpoint, name: `${endpoint.chain}/${endpoint.name}` }));
    context.out(endpointTable(named, Date.parse(status.now), context));
  }
  return 0;
}
