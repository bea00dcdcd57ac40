/** What operators switched, laid over the settings: what each endpoint of a pool is at this moment. */

import type { EndpointSettings } from './chain.ts';
import { runtimeWeightCap, weightBound } from './weight.ts';

/** One switch of an operator; `value` is 0 or 1 but for a weight. */
export interface Override {
  readonly endpoint: string;
  readonly what: 'weight' | 'disabled' | 'draining';
  readonly value: number;
  /** Wall clock, ms, when it ends by itself. */
  readonly until?: number;
}

export interface InForce {
  readonly disabled: boolean;
  readonly draining: boolean;
  readonly weight: number;
}

/**
 * In the order of `pool`. No order of commands, no restart and no reload gets past the bounds, because they are held here,
 * where every weight in force is made: a weight stays within its bound, and one given at runtime also below the highest
 * that an endpoint of the file has now, so that lowering those does not lift it above them.
 */
export function inForce(
  pool: readonly EndpointSettings[],
  overrides: readonly Override[],
  wallMs: number,
): readonly InForce[] {
  const live = overrides.filter(({ until }) => until === undefined || until > wallMs);
  const asked = pool.map(settings => {
    const of = (what: Override['what']): number | undefined =>
      live.find(each => each.endpoint === settings.name && each.what === what)?.value;
    const disabled = of('disabled');
    return {
      disabled: disabled === undefined ? settings.disabled : disabled === 1,
      draining: of('draining') === 1,
      weight: Math.max(0, Math.min(of('weight') ?? settings.weight, weightBound(settings, pool))),
    };
  });
  const ofFile = pool.map(({ origin }) => origin === 'file');
  if (!ofFile.includes(true)) return asked;
  const highest = Math.max(0, ...asked.map((each, at) => (ofFile[at] && serves(each) ? each.weight : 0)));
  const most = Math.min(runtimeWeightCap(pool), Math.max(0, highest - 1));
  return asked.map((each, at) => (ofFile[at] ? each : { ...each, weight: Math.min(each.weight, most) }));
}

/** It may get new traffic, as far as operators are concerned. */
export function serves({ disabled, draining, weight }: InForce): boolean {
  return !disabled && !draining && weight > 0;
}
