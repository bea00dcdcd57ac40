/** The rules of `core/guard` as an operator's error: what would break, and what helps. */

import { OperatorError } from '../core/errors.ts';
import { objections, type Proposal } from '../core/guard.ts';
import type { Chain } from '../gateway/roster.ts';
import type { Desk } from './admin-desk.ts';

export interface Guarded {
  readonly proposal: Proposal;
  readonly force: boolean;
  /** What is not done, in words. */
  readonly what: string;
  /** The same with `--force`. */
  readonly again?: string;
}

/** Undefined: it may be done. */
export function guard(
  desk: Desk,
  chain: Chain,
  { proposal, force, what, again }: Guarded,
): OperatorError | undefined {
  const { name } = chain.settings;
  const found = objections(chain.pool.records, proposal, desk.facts.clock.now());
  const alone = found.find(({ rule }) => rule === 'runtime_alone');
  if (alone !== undefined) {
    const runtime = chain.pool.records.filter(({ settings }) => settings.origin === 'runtime');
    return new OperatorError(
      'refused_by_rule',
      `${what}: it would leave ${name} to runtime endpoints alone`,
      {
        why: [
          alone.why,
          'an endpoint added at runtime can invent what it answers; --force does not help here',
        ],
        next: [
          `enable another endpoint of the config: rpcgw endpoint list ${name}`,
          ...runtime.slice(0, 3).map(({ settings }) => `or: rpcgw endpoint remove ${name} ${settings.name}`),
        ],
      },
    );
  }
  const last = found.find(({ rule }) => rule === 'last_usable');
  if (last === undefined || force) return undefined;
  return new OperatorError('refused_by_rule', `${what}: it is the last usable endpoint of ${name}`, {
    why: [last.why],
    next: [`rpcgw status ${name}`, ...(again === undefined ? [] : [`if you mean it: ${again}`])],
  });
}
