import { actions, type Question } from './actions.ts';
import { readFilter } from './filter.ts';
import type { Spans } from './line.tsx';
import type { Scene } from './scene.ts';
import { wrap } from './text.ts';

export function footRows(scene: Scene): number {
  return footLines(scene)?.length ?? 1;
}

/** Never more than half of the screen: what it speaks of stays in sight. */
export function footLines(scene: Scene): readonly Spans[] | undefined {
  return allLines(scene)?.slice(0, Math.floor(scene.display.rows / 2));
}

function allLines({ view, display }: Scene): readonly Spans[] | undefined {
  const { foot } = view;
  const room = display.columns - 4;
  switch (foot.is) {
    case 'keys':
      return undefined;
    case 'filter':
      return [
        [
          { text: ' filter: ', tone: 'strong' },
          { text: `${foot.text}█` },
          {
            text: `  ${readFilter(foot.text).problem ?? 'state:stale  p95>200  lag>=3  provider:infura  !healthy  any text'}`,
            tone: 'quiet',
          },
        ],
      ];
    case 'weight':
      return [
        [
          { text: ` weight of ${foot.key}: `, tone: 'strong' },
          { text: `${foot.text}█` },
          { text: '  20, +10, -10, 50%; 0 drains it; Enter asks, Esc leaves it', tone: 'quiet' },
        ],
      ];
    case 'question':
      return [
        ...wrap(`${foot.question.effect}?  [y/N]`, room).map(
          (text, at): Spans => [
            { text: at === 0 ? ' ! ' : '   ', tone: 'alarm' },
            { text, tone: 'strong' },
          ],
        ),
        ...foot.question.notes.flatMap(note =>
          wrap(note, room).map((text): Spans => [{ text: `   ${text}`, tone: 'warn' }]),
        ),
        commandLine(foot.question),
      ];
    case 'running':
      return [[{ text: ' … the daemon is asked', tone: 'quiet' }], commandLine(foot.question)];
    case 'told': {
      const { good, lines } = foot.outcome;
      const tone = good ? 'good' : 'bad';
      return lines
        .flatMap(line => wrap(line, room))
        .map((text, at): Spans => [{ text: at > 0 ? '   ' : good ? ' ✔ ' : ' ✖ ', tone }, { text }]);
    }
  }
}

/** The same as a command, so that runbooks learn from it. */
function commandLine({ wish }: Question): Spans {
  return [
    { text: '   the same as  ', tone: 'quiet' },
    { text: actions[wish.action].command(wish), tone: 'info' },
  ];
}
