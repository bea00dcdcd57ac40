import { spanText } from '../config/units.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, isSet } from './context.ts';
import { done } from './done.ts';
import { change } from './endpoint-switch.ts';
import { span } from './values.ts';
import { onInterrupt, waitFor } from './wait.ts';

export async function run(context: CommandContext): Promise<number> {
  const wanted = change(context);
  const timeoutMs = span(context, 'timeout') ?? 60_000;
  const result = await context.api.ask('endpointDrain', wanted);
  if (!isSet(context, 'wait') || result.dryRun) return done(context, result);
  const { chain, name } = wanted;
  onInterrupt(`still draining, watch with: rpcgw endpoint show ${chain} ${name}`);
  let last = result.endpoint;
  const empty = await waitFor(async () => {
    last = (await context.api.ask('endpointShow', { chain, name })).endpoint;
    return last.inFlight === 0;
  }, timeoutMs);
  if (!empty) {
    throw new OperatorError(
      'wait_timeout',
      `${chain}/${name} has ${last?.inFlight ?? 0} in flight after ${spanText(timeoutMs)}`,
      {
        why: ['it is drained and stays so; what is in flight may still end'],
        next: [
          `rpcgw endpoint drain ${chain} ${name} --wait`,
          `or back: rpcgw endpoint enable ${chain} ${name}`,
        ],
      },
    );
  }
  const text = `${chain}/${name}: drained, nothing in flight`;
  return done(context, { ...result, text, endpoint: last });
}
