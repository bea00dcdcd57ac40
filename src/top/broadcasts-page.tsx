import type { ReactElement } from 'react';
import type { Broadcast } from '../api/history-shapes.ts';
import { broadcastColumns, broadcastOrder, detail, isOpen, reachedText, txText } from './broadcast-text.ts';
import { cells, heads, lay } from './columns.ts';
import type { Spans } from './line.tsx';
import { unknownCount } from './needs.ts';
import type { Scene } from './scene.ts';
import { since, wrap } from './text.ts';
import { TextPage } from './text-page.tsx';

/** Every unknown outcome in full, with what to do about it; then the others. `room`: rows in all. */
export function BroadcastsPage({ scene, room }: { scene: Scene; room: number }): ReactElement {
  const { broadcasts, status, display, now } = scene;
  const ordered = broadcastOrder(broadcasts);
  const open = ordered.filter(isOpen);
  const others = ordered.filter(each => !isOpen(each));
  const lines = [
    ...bannerLines(Math.max(unknownCount(status), open.length)),
    ...open.flatMap(each => openLines(each, now, display.columns)),
    [{ text: ' ' }],
    ...otherLines(others, now, display.columns),
  ];
  return <TextPage scene={scene} title="broadcasts [3]" lines={lines} room={room} />;
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
  return [
    [{ text: ' ' }],
    [{ text: `  ! ${each.chain}, ${each.outcome}`, tone: 'alarm' }],
    // An id that is cut is no id.
    ...wrap(txText(each), width - 4).map((text): Spans => [{ text: `    ${text}`, tone: 'strong' }]),
    [
      {
        text: `    sent ${since(each.began, now)} ago (${each.began}) by ${each.endpoint}, ${each.method}: ${reachedText(each.reached)}`,
      },
    ],
    [{ text: `    ${detail(each, now)}` }],
    [
      { text: `    rpcgw broadcasts show ${each.id}`, tone: 'info' },
      { text: '   tells all that is known', tone: 'quiet' },
    ],
    [
      { text: `    rpcgw broadcasts settle ${each.id} --note "…"`, tone: 'info' },
      { text: '   when you have found out yourself', tone: 'quiet' },
    ],
  ];
}
