import type { ReactElement } from 'react';
import { actionNames, actions } from './actions.ts';
import { Line, type Spans } from './line.tsx';
import type { Scene } from './scene.ts';

type Hint = readonly [key: string, says: string];

const acts: readonly Hint[] = actionNames.map(name => [actions[name].key, actions[name].word]);

/** What can be pressed, most needed first: a narrow screen leaves the last out, and `?` has them all. */
export function KeysLine({ scene }: { scene: Scene }): ReactElement {
  const { display } = scene;
  let left = display.columns;
  const spans = hints(scene).flatMap(([key, says]): Spans => {
    left -= key.length + says.length + 3;
    return left < 0
      ? []
      : [
          { text: ` ${key}`, tone: 'strong' },
          { text: ` ${says} `, tone: 'quiet' },
        ];
  });
  return <Line display={display} spans={spans} />;
}

function hints({ view }: Scene): readonly Hint[] {
  switch (view.page) {
    case 'help':
    case 'events':
    case 'broadcasts':
      return [
        ['Esc', 'back'],
        ['↑↓', 'scroll'],
        ['q', 'quit'],
      ];
    case 'endpoint':
      return [
        ['Esc', 'back'],
        ['?', 'help'],
        ['←→', 'other endpoint'],
        ['↑↓', 'scroll'],
        ...acts,
        ['q', 'quit'],
      ];
    case 'main':
      return [
        ['?', 'help'],
        ['q', 'quit'],
        ['↑↓', 'select'],
        ['Enter', 'details'],
        ['Tab', 'pane'],
        ['c', 'chain'],
        ['/', 'filter'],
        ['s', 'sort'],
        ...acts,
        ['p', 'pause'],
      ];
  }
}
