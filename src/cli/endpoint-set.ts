import { OperatorError } from '../core/errors.ts';
import { parseWeight } from '../core/weight.ts';
import { arg, type CommandContext, isSet, option } from './context.ts';
import { done } from './done.ts';
import { givenRps, givenSettings } from './endpoint-settings.ts';
import { span } from './values.ts';
import { who } from './who.ts';

export async function run(context: CommandContext): Promise<number> {
  const weight = option(context, 'weight');
  if (weight !== undefined && parseWeight(weight) === undefined)
    throw new OperatorError('usage', `--weight takes a number, +10, -10 or 50%, not ${weight}`);
  const forMs = span(context, 'for');
  const rps = givenRps(context);
  return done(
    context,
    await context.api.ask('endpointSet', {
      who: who(),
      chain: arg(context, 0),
      name: arg(context, 1),
      ...givenSettings(context),
      ...(weight === undefined ? {} : { weight }),
      ...(forMs === undefined ? {} : { forMs }),
      ...(rps === undefined ? {} : { rps }),
      reset: isSet(context, 'reset'),
      force: isSet(context, 'force'),
      dryRun: isSet(context, 'dryRun'),
    }),
  );
}
