/** What a roster is built from: the file's endpoints, then those operators added, in the order of their adding. */

import type { ConfiguredChain } from '../config/settings.ts';
import { OperatorError } from '../core/errors.ts';
import type { ChainInput } from '../gateway/roster.ts';
import type { RuntimeEndpoint } from '../store/endpoints.ts';
import { identityKey } from './identity-key.ts';

/** Throws when one endpoint would be two, or two would be one: what is learned belongs to one of them alone. */
export function poolInputs(
  chains: readonly ConfiguredChain[],
  added: readonly RuntimeEndpoint[],
): readonly ChainInput[] {
  return chains.map(({ settings, endpoints }) => {
    const runtime = added.filter(({ chain }) => chain === settings.name).map(each => each.settings);
    const inFile = new Map(endpoints.map(endpoint => [identityKey(settings, endpoint), endpoint.name]));
    for (const { name } of runtime) {
      if (endpoints.some(endpoint => endpoint.name === name)) throw twice(settings.name, name, name);
    }
    for (const endpoint of runtime) {
      const twin = inFile.get(identityKey(settings, endpoint));
      if (twin !== undefined) throw twice(settings.name, twin, endpoint.name);
    }
    return { settings, endpoints: [...endpoints, ...runtime] };
  });
}

/** Added to a chain that the config does not have now. */
export function withoutChain(
  chains: readonly ConfiguredChain[],
  added: readonly RuntimeEndpoint[],
): readonly RuntimeEndpoint[] {
  return added.filter(({ chain }) => !chains.some(({ settings }) => settings.name === chain));
}

function twice(chain: string, inFile: string, added: string): OperatorError {
  const same = inFile === added;
  return new OperatorError(
    'conflict',
    same
      ? `${chain}/${added} is in the config and was added at runtime too`
      : `${chain}/${inFile} of the config has the URL of ${added}, which was added at runtime`,
    {
      why: [same ? 'one name must mean one endpoint' : 'one endpoint must have one name'],
      next: [
        `take ${inFile} out of the config (or rename it), start or reload, and then: rpcgw endpoint remove ${chain} ${added}`,
        'then put it back into the config and reload',
      ],
    },
  );
}
