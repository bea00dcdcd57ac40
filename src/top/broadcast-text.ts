/** A broadcast as it is told: what is not settled first, and never in the same words as what is. */

import type { Broadcast } from '../api/history-shapes.ts';
import { ms, thousands } from '../cli/format.ts';
import type { Column } from './columns.ts';
import type { Span } from './line.tsx';
import { since } from './text.ts';
import type { Tone } from './tone.ts';

/** Nobody knows yet what became of it: an unknown outcome, or a rejection for a nonce that something else has used. */
export function isOpen({ outcome, followUp }: Broadcast): boolean {
  if (followUp === null) return outcome === 'unknown';
  return followUp.settled === null && (outcome === 'unknown' || followUp.reason === 'rejected');
}

/** What is unknown first, then the newest. */
export function broadcastOrder(broadcasts: readonly Broadcast[]): readonly Broadcast[] {
  return broadcasts.toSorted(
    (a, b) =>
      Number(isOpen(b)) - Number(isOpen(a)) || Date.parse(b.began) - Date.parse(a.began) || b.id - a.id,
  );
}

/** `now` is the daemon's clock, ms. `whole`: ids are not shortened. */
export function broadcastColumns(now: number, whole = false): readonly Column<Broadcast>[] {
  return [
    { title: 'AGE', cell: each => since(each.began, now), right: true, min: 4 },
    { title: 'CHAIN', cell: each => each.chain, min: 9, drop: 3 },
    { title: 'TX', cell: each => (whole ? txText(each) : shortId(txText(each))), min: 13 },
    { title: 'OUTCOME', cell: outcome, min: 10 },
    { title: 'ENDPOINT', cell: each => each.endpoint, max: 20, drop: 2 },
    { title: 'TOOK', cell: each => ms(each.ms), right: true, min: 6, drop: 1 },
    {
      title: 'DETAIL',
      cell: each => ({ text: detail(each, now), tone: isOpen(each) ? 'alarm' : 'quiet' }),
      min: 16,
      grow: true,
    },
  ];
}

function outcome(each: Broadcast): Span {
  const { outcome: word, followUp } = each;
  if (isOpen(each)) return { text: word === 'unknown' ? '! UNKNOWN' : `! ${word}, open`, tone: 'shout' };
  const settled = followUp?.settled?.how;
  const tones: Readonly<Record<string, Tone>> = {
    accepted: 'good',
    known: 'good',
    rejected: 'warn',
    pending: 'info',
  };
  return { text: settled === undefined ? word : `${word}, ${settled}`, tone: tones[word] };
}

/** What is being done about it, or why nothing needs to be. */
export function detail(each: Broadcast, now: number): string {
  const { followUp, reached, attempt, earlier, rule } = each;
  const parts: string[] = [];
  if (isOpen(each)) parts.push(`${reachedText(reached)}: not sent again`);
  if (followUp !== null) {
    const { settled, latest, height, looks, lastLook } = followUp;
    if (settled !== null) parts.push(`settled (${settled.how}): ${settled.note}`);
    else if (latest === 'block') parts.push(`in block ${thousands(height)}`);
    else if (latest === 'pool') parts.push('seen in the pool');
    else
      parts.push(
        looks === 0 ? 'to be looked up' : `not seen in ${looks} looks, last ${since(lastLook, now)} ago`,
      );
  }
  if (attempt > 1) parts.push(`attempt ${attempt}`);
  if (earlier !== null) parts.push(`repeats #${earlier} on purpose`);
  if (parts.length === 0 && rule !== null && each.outcome !== 'accepted') parts.push(rule);
  return parts.join('; ');
}

/** How far it got, in the words of the contract. */
function reachedText(reached: string | null): string {
  return reached === null ? 'nobody knows how far it got' : reached.replaceAll('_', ' ');
}

/** Where the bytes give no id, their digest tells the transaction. */
export function txText({ txId, digest }: Broadcast): string {
  return txId ?? `digest ${digest}`;
}

function shortId(id: string): string {
  return id.length <= 18 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}
