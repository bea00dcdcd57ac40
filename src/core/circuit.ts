/**
 * When a circuit moves. A state is a value; the same object back means that nothing happened.
 *
 *   closed ──5 failures in a row, or success under 0.2──▶ open ──time──▶ half_open ──3 good trials──▶ closed
 *                                                          ▲                │
 *                                                          └──one bad trial─┘ (twice as long, up to 5 min)
 */

export type Circuit =
  | { readonly state: 'closed'; readonly since: number }
  | {
      readonly state: 'open';
      readonly since: number;
      readonly until: number;
      readonly holdMs: number;
      readonly cause: 'streak' | 'average' | 'trial';
    }
  | { readonly state: 'half_open'; readonly since: number; readonly holdMs: number; readonly good: number };

export const failuresToOpen = 5;
const leastSuccess = 0.2;
const leastSamples = 10;
export const trialsToClose = 3;
const firstHoldMs = 30_000;
const longestHoldMs = 300_000;

export function closedSince(now: number): Circuit {
  return { state: 'closed', since: now };
}

/** After a failure was counted: `streak` failures in a row, `success` over `samples` outcomes. */
export function afterFailure(
  circuit: Circuit,
  streak: number,
  success: number,
  samples: number,
  now: number,
): Circuit {
  if (circuit.state !== 'closed') return circuit;
  const cause =
    streak >= failuresToOpen
      ? 'streak'
      : success < leastSuccess && samples >= leastSamples
        ? 'average'
        : undefined;
  if (cause === undefined) return circuit;
  return { state: 'open', since: now, until: now + firstHoldMs, holdMs: firstHoldMs, cause };
}

/** An open circuit whose time is over is half-open, whether anyone looked or not. */
export function atTime(circuit: Circuit, now: number): Circuit {
  if (circuit.state !== 'open' || now < circuit.until) return circuit;
  return { state: 'half_open', since: circuit.until, holdMs: circuit.holdMs, good: 0 };
}

/** After one trial. `needed`: how many good ones in a row release it. */
export function afterTrial(circuit: Circuit, good: boolean, needed: number, now: number): Circuit {
  if (circuit.state !== 'half_open') return circuit;
  if (!good) {
    const holdMs = Math.min(longestHoldMs, circuit.holdMs * 2);
    return { state: 'open', since: now, until: now + holdMs, holdMs, cause: 'trial' };
  }
  return circuit.good + 1 >= needed ? closedSince(now) : { ...circuit, good: circuit.good + 1 };
}
