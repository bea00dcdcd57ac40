import { Text, Transform } from 'ink';
import type { ReactElement } from 'react';
import { isNarrow, toAscii } from './ascii.ts';
import type { Display } from './scene.ts';
import { clean, cut, widthOf, wrap } from './text.ts';
import { type Tone, tones } from './tone.ts';

export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export type Spans = readonly Span[];

/**
 * One row of the screen. Ink measures every text three times a frame, letter by letter once there is more in it than
 * ASCII; that is most of what a dashboard costs. Where our own signs are all there is, the width is known: Ink lays out
 * blanks, which it measures at once, and the row is put in their place.
 */
export function Line({ spans, display }: { spans: Spans; display: Display }): ReactElement {
  const { columns, colour, ascii, dimmed = false } = display;
  const shown = withoutTail(cutSpans(spans, columns)).map(({ text, tone }) => ({
    text: ascii ? toAscii(clean(text)) : clean(text),
    tone: dimmed ? ('quiet' as const) : tone,
  }));
  const plain = shown.map(({ text }) => text).join('');
  const painted = colour
    ? shown.map(({ text, tone }) => (tone === undefined ? text : tones[tone](text))).join('')
    : plain;
  if (!isNarrow(plain)) return <Text wrap="truncate-end">{painted}</Text>;
  return (
    <Transform accessibilityLabel={plain} transform={() => painted}>
      {/* An empty text has no height. */}
      {' '.repeat(Math.max(1, widthOf(plain)))}
    </Transform>
  );
}

/** Blanks at the end of a row are written for nothing; those of a plate are part of it. */
function withoutTail(spans: Spans): Spans {
  const last = spans.findLastIndex(({ text, tone }) => tone === 'shout' || text.trim() !== '');
  return spans
    .slice(0, last + 1)
    .map((span, at) =>
      at === last && span.tone !== 'shout' ? { ...span, text: span.text.trimEnd() } : span,
    );
}

/** A sentence over as many rows as it needs; '' needs none. */
export function said(text: string, indent: number, width: number, tone?: Tone): readonly Spans[] {
  if (text === '') return [];
  return wrap(text, width - indent).map(line => [{ text: ' '.repeat(indent) + line, tone }]);
}

export function spansWidth(spans: Spans): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** `left` and `right` at the two ends of a row; what is on the left gives way. */
export function ends(left: Spans, right: Spans, width: number): Spans {
  const room = width - spansWidth(right) - (right.length === 0 ? 0 : 1);
  const fitted = cutSpans(left, room);
  return [
    ...fitted,
    { text: ' '.repeat(Math.max(0, width - spansWidth(fitted) - spansWidth(right))) },
    ...right,
  ];
}

export function cutSpans(spans: Spans, width: number): Spans {
  let left = Math.max(0, width);
  return spans.flatMap(({ text, tone }): Span[] => {
    const fitted = cut(text, left);
    left -= widthOf(fitted);
    return fitted === '' ? [] : [{ text: fitted, tone }];
  });
}
