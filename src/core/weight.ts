/** What an endpoint may weigh at runtime: whoever can give commands must not be able to draw the traffic to an endpoint. */

import type { EndpointSettings } from './chain.ts';

/** Fixed (contract section 3). */
const runtimeMost = 20;
const runtimeDefault = 10;

type Weighed = Pick<EndpointSettings, 'origin' | 'weight'>;

/** At most 20, and below the chain's highest weight in the file. `endpoints`: the whole pool, or the file's part of it. */
export function runtimeWeightCap(endpoints: readonly Weighed[]): number {
  const file = endpoints.filter(({ origin }) => origin === 'file');
  const highest = Math.max(0, ...file.map(({ weight }) => weight));
  return file.length === 0 ? runtimeMost : Math.max(0, Math.min(runtimeMost, highest - 1));
}

export function runtimeWeight(endpoints: readonly Weighed[]): number {
  return Math.min(runtimeDefault, runtimeWeightCap(endpoints));
}

/** The most a command may give: what the file gives is no raise, and lowering is always free. */
export function weightBound(endpoint: Weighed, pool: readonly Weighed[]): number {
  const cap = runtimeWeightCap(pool);
  return endpoint.origin === 'file' ? Math.max(endpoint.weight, cap) : cap;
}

/** `20`; `+10` and `-10`, of the weight in force; `50%`, of the weight it was configured or added with. */
export type WeightOrder =
  | { readonly kind: 'to'; readonly value: number }
  | { readonly kind: 'by'; readonly value: number }
  | { readonly kind: 'share'; readonly percent: number };

export function parseWeight(text: string): WeightOrder | undefined {
  const [, sign = '', digits = '', percent = ''] = /^([+-]?)(\d{1,3})(%?)$/.exec(text) ?? [];
  if (digits === '' || (sign !== '' && percent !== '')) return undefined;
  const value = Number(digits);
  if (percent !== '') return { kind: 'share', percent: value };
  return sign === '' ? { kind: 'to', value } : { kind: 'by', value: sign === '+' ? value : -value };
}

/** Whole; may lie outside every bound, which the caller tells of. A share of something is never nothing but for 0 %. */
export function orderedWeight(order: WeightOrder, inForce: number, configured: number): number {
  switch (order.kind) {
    case 'to':
      return order.value;
    case 'by':
      return inForce + order.value;
    case 'share':
      if (order.percent === 0 || configured === 0) return 0;
      return Math.max(1, Math.round((configured * order.percent) / 100));
  }
}
