import type { Broadcast } from '../api/history-shapes.ts';
import { broadcastColumns, broadcastOrder, detail, isOpen, txText } from './broadcast-text.ts';
import { cells, heads, lay } from './columns.ts';
import { type Spans, said } from './line.tsx';
import { unknownCount } from './needs.ts';
import type { Scene } from './scene.ts';
import { since } from './text.ts';

/** Every unknown outcome in full, with what to do about it; then the others. */
export function broadcastLines({ broadcasts, status, display, now }: Scene): readonly Spans[] {
  const ordered = broadcastOrder(broadcasts);
  const open = ordered.filter(isOpen);
  const others = ordered.filter(each => !isOpen(each));
  return [
    ...bannerLines(Math.max(unknownCount(status), open.length)),
    ...open.flatMap(each => openLines(each, now, display.columns)),
    [{ text: ' ' }],
    ...otherLines(others, now, display.columns),
  ];
}

function otherLines(others: readonly Broadcast[], now: number, width: number): readonly Spans[] {
  if (others.length === 0) return [[{ text: '  no other transaction was sent lately', tone: 'quiet' }]];
  const laid = lay(broadcastColumns(now), others, width - 2);
  return [heads(laid), ...others.map(each => cells(laid, each))].map(
    (spans): Spans => [{ text: '  ' }, ...spans],
  );
}

function bannerLines(unknown: number): Spans[] {
  if (unknown === 0) return [[{ text: '  ● every outcome is known', tone: 'good' }]];
  return [
    [
      {
        text: ` ! ${unknown} UNKNOWN: handed over, and nobody knows yet whether the network has it. `,
        tone: 'shout',
      },
    ],
    [
      {
        text: ' ! Do not sign a replacement. Each is looked up by its id until it is settled. ',
        tone: 'shout',
      },
    ],
  ];
}

function openLines(each: Broadcast, now: number, width: number): Spans[] {
  const { id, chain, outcome, began, endpoint, method } = each;
  const sent = `sent ${since(began, now)} ago (${began}) by ${endpoint}, ${method}`;
  return [
    [{ text: ' ' }],
    [{ text: `  ! ${chain}, ${outcome}`, tone: 'alarm' }],
    // An id that is cut is no id.
    ...said(txText(each), 4, width, 'strong'),
    ...said(sent, 4, width),
    ...said(detail(each, now), 4, width),
    [
      { text: `    rpcgw broadcasts show ${id}`, tone: 'info' },
      { text: '   tells all that is known', tone: 'quiet' },
    ],
    [
      { text: `    rpcgw broadcasts settle ${id} --note "…"`, tone: 'info' },
      { text: '   when you have found out yourself', tone: 'quiet' },
    ],
  ];
}
