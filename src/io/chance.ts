import type { Chance } from '../gateway/ports.ts';

/**
 * For jitter, weighted picks and trickles. `Math.random` is seeded from the system at start and costs nanoseconds;
 * nothing that has to be unguessable is drawn from it (ids come from node:crypto).
 */
export const chance: Chance = { next: () => Math.random() };
