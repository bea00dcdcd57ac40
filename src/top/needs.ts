/** What somebody should look at, worst first: the third line of the dashboard, and the first of a plain frame. */

import type { ChainStatus, EndpointStatus, Status } from '../api/contract.ts';
import type { Spans } from './line.tsx';
import { isTrouble, severity, signs } from './signs.ts';
import { until } from './text.ts';
import type { Tone } from './tone.ts';

export interface Need {
  readonly text: string;
  readonly tone: Tone;
}

export function needsOf(status: Status, now: number): readonly Need[] {
  const store: Need[] = status.store.ok
    ? []
    : [
        {
          text: `store not writable (${status.store.reason ?? 'unknown'}): broadcasts refused`,
          tone: 'shout',
        },
      ];
  const draining: Need[] = status.draining ? [{ text: 'the daemon drains and will end', tone: 'warn' }] : [];
  const troubled = status.chains
    .flatMap(chain => chain.endpoints)
    .filter(isTrouble)
    .toSorted((a, b) => severity(a.state) - severity(b.state));
  return [
    ...store,
    ...draining,
    ...status.chains.filter(chain => !isServing(chain)).map(chainNeed),
    ...troubled.map(each => endpointNeed(each, now)),
    ...status.chains.filter(chain => isServing(chain) && isStrained(chain)).map(chainNeed),
  ];
}

function isServing({ usable, oldHead }: ChainStatus): boolean {
  return usable > 0 && !oldHead;
}

/**
 * Something is wrong with the pool at this moment. Its other notes are advice that stands for weeks (one client software
 * everywhere, one host): said where there is room, but nobody is called for it.
 */
export function isStrained(chain: ChainStatus): boolean {
  return !isServing(chain) || (chain.usable === 1 && chain.total > 1);
}

/** The daemon tells what is wrong now before what is merely unwise. */
function chainNeed(chain: ChainStatus): Need {
  return {
    text: `${chain.name}: ${chain.notes[0] ?? `${chain.usable} of ${chain.total} usable`}`,
    tone: isServing(chain) ? 'warn' : 'alarm',
  };
}

function endpointNeed(endpoint: EndpointStatus, now: number): Need {
  const { name, stateText, state } = endpoint;
  const left = endpoint.until === null ? '' : ` ${until(endpoint.until, now)}`;
  return { text: `${name} ${signs[state].sign} ${stateText}${left}`, tone: signs[state].tone };
}

export function unknownCount(status: Status): number {
  return status.chains.reduce((sum, chain) => sum + chain.unknownBroadcasts, 0);
}

/** Stands at the right of every screen while there is one: whoever signs it again may pay twice. */
export function unknownSpans(status: Status): Spans {
  const count = unknownCount(status);
  return count === 0 ? [] : [{ text: ` ! ${unknownText(count)} [3] `, tone: 'shout' }];
}

export function unknownText(count: number): string {
  return `${count} BROADCAST${count === 1 ? '' : 'S'} UNKNOWN`;
}

/** As many as fit, then how many more. `width` in columns. */
export function needsSpans(needs: readonly Need[], status: Status, width: number): Spans {
  if (needs.length === 0) {
    const endpoints = status.chains.reduce((sum, chain) => sum + chain.total, 0);
    const all = `${counted(endpoints, 'endpoint')} of ${counted(status.chains.length, 'chain')}`;
    return [{ text: ` ${all}, all fine`, tone: 'quiet' }];
  }
  const head = ` ! ${needs.length} need${needs.length === 1 ? 's' : ''} you: `;
  const shown: Need[] = [];
  let left = width - head.length - ' · +99'.length;
  for (const need of needs) {
    left -= need.text.length + 3;
    if (left < 0 && shown.length > 0) break;
    shown.push(need);
  }
  const more = needs.length - shown.length;
  return [
    { text: head, tone: 'strong' },
    ...shown.flatMap((need, at): Spans => [{ text: at === 0 ? '' : ' · ' }, need]),
    { text: more === 0 ? '' : ` · +${more}` },
  ];
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
