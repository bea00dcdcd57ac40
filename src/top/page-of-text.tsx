import { Box } from 'ink';
import type { ReactElement } from 'react';
import { footRows } from './foot-lines.ts';
import { textRows } from './layout.ts';
import { Line } from './line.tsx';
import type { TextPage } from './pages.ts';
import { PaneTitle } from './pane-title.tsx';
import type { Scene } from './scene.ts';
import { windowNote } from './window.ts';

/** A page of text that is scrolled as a whole. */
export function PageOfText({
  scene,
  page: { title, lines },
}: {
  scene: Scene;
  page: TextPage;
}): ReactElement {
  const { view, display } = scene;
  const size = textRows(display.rows, footRows(scene));
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
