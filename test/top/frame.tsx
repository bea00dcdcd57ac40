import { stripVTControlCharacters } from 'node:util';
import { renderToString } from 'ink';
import type { Scene } from '../../src/top/scene.ts';
import { Screen } from '../../src/top/screen.tsx';

/** The frame as a terminal of this width shows it; with escape sequences when the scene is coloured. */
export function frame(scene: Scene): string {
  return renderToString(<Screen scene={scene} />, { columns: scene.display.columns });
}

export function rowsOf(text: string): readonly string[] {
  return stripVTControlCharacters(text).split('\n');
}
