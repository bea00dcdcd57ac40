import { Box } from 'ink';
import type { ReactElement } from 'react';
import { actions, type Question } from './actions.ts';
import { readFilter } from './filter.ts';
import { KeysLine } from './keys-line.tsx';
import { Line, type Spans } from './line.tsx';
import type { Scene } from './scene.ts';
import { wrap } from './text.ts';

/** The last rows: what can be pressed, or what is being typed, asked or told. */
export function Foot({ scene }: { scene: Scene }): ReactElement {
  const lines = footLines(scene);
  return (
    <Box flexDirection="column">
      {lines === undefined ? (
        <KeysLine scene={scene} />
      ) : (
        lines.map((spans, at) => (
          // Lines of a text, known by their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Line key={at} display={scene.display} spans={spans} />
        ))
      )}
    </Box>
  );
}

export function footRows(scene: Scene): number {
  return footLines(scene)?.length ?? 1;
}

function footLines({ view, display }: Scene): readonly Spans[] | undefined {
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
    case 'told':
      return foot.lines
        .flatMap(line => wrap(line, room))
        .map(
          (text, at): Spans => [
            { text: at > 0 ? '   ' : foot.good ? ' ✔ ' : ' ✖ ', tone: foot.good ? 'good' : 'bad' },
            { text },
          ],
        );
  }
}

/** The same as a command, so that runbooks learn from it. */
function commandLine({ wish }: Question): Spans {
  return [
    { text: '   the same as  ', tone: 'quiet' },
    { text: actions[wish.action].command(wish), tone: 'info' },
  ];
}
