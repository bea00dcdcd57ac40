import type { RouteInput } from '../api/contract.ts';
import { arg, type CommandContext, isSet } from './context.ts';
import { span } from './values.ts';
import { who } from './who.ts';

/** What drain, enable, disable and remove say of the endpoint they are about. */
export function change(context: CommandContext): RouteInput<'endpointDrain'> {
  const forMs = span(context, 'for');
  return {
    who: who(),
    chain: arg(context, 0),
    name: arg(context, 1),
    ...(forMs === undefined ? {} : { forMs }),
    force: isSet(context, 'force'),
    dryRun: isSet(context, 'dryRun'),
  };
}
