import { broadcastLines } from './broadcast-lines.ts';
import { detailLines } from './detail-lines.ts';
import { helpLines } from './help-lines.ts';
import type { Spans } from './line.tsx';
import type { Scene } from './scene.ts';

/** A page that is read from top to bottom. */
export interface TextPage {
  readonly title: string;
  readonly lines: readonly Spans[];
}

/** Undefined: the main screen and the list of events, which are laid out by panes. */
export function textPage(scene: Scene): TextPage | undefined {
  switch (scene.view.page) {
    case 'endpoint':
      return { title: scene.view.endpoint ?? 'endpoint', lines: detailLines(scene) };
    case 'broadcasts':
      return { title: 'broadcasts [3]', lines: broadcastLines(scene) };
    case 'help':
      return { title: 'help', lines: helpLines() };
    case 'main':
    case 'events':
      return undefined;
  }
}
