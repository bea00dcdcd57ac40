import { Box } from 'ink';
import type { ReactElement } from 'react';
import { footLines } from './foot-lines.ts';
import { KeysLine } from './keys-line.tsx';
import { Line } from './line.tsx';
import type { Scene } from './scene.ts';

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
