import { Box } from 'ink';
import type { ReactElement } from 'react';
import { Line, type Spans } from './line.tsx';
import { PaneTitle } from './pane-title.tsx';
import type { Scene } from './scene.ts';
import { windowNote } from './window.ts';

/** A page of text that is scrolled as a whole. `room`: rows in all. */
export function TextPage({
  scene,
  title,
  lines,
  room,
}: {
  scene: Scene;
  title: string;
  lines: readonly Spans[];
  room: number;
}): ReactElement {
  const { view, display } = scene;
  const size = Math.max(0, room - 1);
  const from = Math.min(view.scroll, Math.max(0, lines.length - size));
  const window = { from, to: Math.min(lines.length, from + size) };
  return (
    <Box flexDirection="column">
      <PaneTitle
        title={title}
        notes={[{ text: `Esc goes back ${windowNote(window, lines.length)}`.trimEnd(), tone: 'quiet' }]}
        focused
        display={display}
      />
      {lines.slice(window.from, window.to).map((spans, at) => (
        // Lines of a text, known by their place.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Line key={at} display={display} spans={spans} />
      ))}
    </Box>
  );
}
