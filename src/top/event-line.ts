import type { EventRow } from '../api/contract.ts';
import type { Spans } from './line.tsx';
import { clockText, pad } from './text.ts';
import type { Tone } from './tone.ts';

const tones: Readonly<Record<EventRow['level'], Tone | undefined>> = {
  info: undefined,
  warn: 'warn',
  alarm: 'alarm',
};

/** The same marks as `rpcgw events`. */
export function eventLine(event: EventRow, width: number): Spans {
  const { time, level, chain, endpoint, text } = event;
  const mark = level === 'alarm' ? '!!' : level === 'warn' ? '! ' : '  ';
  const narrow = width < 100;
  const where = endpoint === null ? chain : narrow ? endpoint : `${chain}/${endpoint}`;
  return [
    { text: `${clockText(Date.parse(time))} `, tone: 'quiet' },
    { text: `${mark} ${pad(where, narrow ? 12 : 22)} `, tone: tones[level] },
    { text, tone: level === 'alarm' ? 'alarm' : undefined },
  ];
}
