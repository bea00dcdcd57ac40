/** What an endpoint added at runtime may weigh: whoever can add one must not be able to draw the traffic to it. */

import type { EndpointSettings } from './chain.ts';

/** Fixed (contract section 3). */
const runtimeMost = 20;
const runtimeDefault = 10;

/** At most 20, and below the chain's highest weight in the file. */
export function runtimeWeightCap(fileEndpoints: readonly EndpointSettings[]): number {
  const highest = Math.max(0, ...fileEndpoints.map(({ weight }) => weight));
  return fileEndpoints.length === 0 ? runtimeMost : Math.max(0, Math.min(runtimeMost, highest - 1));
}

export function runtimeWeight(fileEndpoints: readonly EndpointSettings[]): number {
  return Math.min(runtimeDefault, runtimeWeightCap(fileEndpoints));
}
