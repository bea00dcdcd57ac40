/** Gates that opened or closed, told once per change; for events, the audit trail and reports. */

import type { EndpointRecord } from './endpoint.ts';
import { type Gate, gateOf, gateRows } from './gates.ts';
import { heldAlways } from './held.ts';

export interface Change {
  readonly record: EndpointRecord;
  readonly gate: Gate;
  /** It shut, or it opened; then the gate's reason says why it had been shut only in general words. */
  readonly shut: boolean;
  readonly level: 'info' | 'warn' | 'alarm';
}

const none: readonly Change[] = [];

/** What changed since the last call. Allocates only when something did. */
export function changesOf(record: EndpointRecord, now: number): readonly Change[] {
  const held = heldAlways(record, now);
  const changed = held ^ record.told;
  if (changed === 0) return none;
  record.told = held;
  record.toldAt = now;
  const changes: Change[] = [];
  for (const row of gateRows) {
    if ((changed & row.bit) === 0 || row.level === undefined) continue;
    const why = row.held(record, undefined, now);
    changes.push(
      why === undefined
        ? { record, gate: gateOf(row, { reason: 'released', next: '' }), shut: false, level: 'info' }
        : { record, gate: gateOf(row, why), shut: true, level: row.level },
    );
  }
  return changes;
}
