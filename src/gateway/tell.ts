/** Gates that opened or closed, as events: told once per change, with the reason a person can act on. */

import type { Change } from '../core/changes.ts';
import type { Event, Events } from './ports.ts';
import type { Chain } from './roster.ts';

export function tellChanges(events: Events, chain: Chain, changes: readonly Change[]): void {
  for (const change of changes) events.emit(eventOf(chain, change));
}

function eventOf(chain: Chain, { record, gate, shut, level }: Change): Event {
  const name = gate.class === undefined ? gate.name : `${gate.name}_${gate.class}`;
  const words = name.replaceAll('_', ' ');
  return {
    kind: gate.name,
    chain: chain.settings.name,
    endpoint: record.settings.name,
    level,
    text: shut ? `${words}: ${gate.reason}` : `${words}: over`,
    detail: { gate: name, shut, hard: gate.hard },
  };
}
