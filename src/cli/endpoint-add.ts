import { OperatorError } from '../core/errors.ts';
import { arg, type CommandContext, isSet, option } from './context.ts';
import { done } from './done.ts';
import { givenHeaders, givenRps, givenSettings, givenUrl } from './endpoint-settings.ts';
import { who } from './who.ts';

export async function run(context: CommandContext): Promise<number> {
  const name = option(context, 'name');
  if (name === undefined)
    throw new OperatorError('usage', 'an endpoint needs a name', { next: ['add --name NAME'] });
  const weight = givenWeight(context);
  const rps = givenRps(context);
  const headers = givenHeaders(context);
  const settings = givenSettings(context);
  const url = await givenUrl(context, arg(context, 1));
  return done(
    context,
    await context.api.ask('endpointAdd', {
      who: who(),
      chain: arg(context, 0),
      name,
      url,
      headers,
      ...settings,
      ...(weight === undefined ? {} : { weight }),
      ...(rps === undefined || rps === null ? {} : { rps }),
      dryRun: isSet(context, 'dryRun'),
    }),
  );
}

/** Its bounds are the daemon's to know. */
function givenWeight(context: CommandContext): number | undefined {
  const text = option(context, 'weight');
  if (text === undefined || /^-?\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new OperatorError('usage', `--weight takes a whole number, not ${text}`);
}
