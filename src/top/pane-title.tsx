import type { ReactElement } from 'react';
import { cutSpans, Line, type Span, type Spans, spansWidth } from './line.tsx';
import type { Display } from './scene.ts';

/** `── endpoints [2] ethereum ────`; a double rule for the pane that has the keys. */
export function PaneTitle({
  title,
  notes,
  focused,
  display,
}: {
  title: string;
  notes: readonly Span[];
  focused: boolean;
  display: Display;
}): ReactElement {
  const rule = focused ? '═' : '─';
  const tone = focused ? 'strong' : 'quiet';
  const said: Spans = [
    { text: `${rule}${rule} `, tone },
    { text: title, tone: focused ? 'strong' : undefined },
    { text: ' ' },
    ...notes.filter(({ text }) => text !== '').flatMap((note): Spans => [note, { text: ' ' }]),
  ];
  const fitted = cutSpans(said, display.columns - 2);
  const left = display.columns - spansWidth(fitted);
  return <Line display={display} spans={[...fitted, { text: rule.repeat(Math.max(0, left)), tone }]} />;
}
