import { Box } from 'ink';
import type { ReactElement } from 'react';
import { Line } from './line.tsx';
import type { Display } from './scene.ts';

export function TooSmall({ display }: { display: Display }): ReactElement {
  return (
    <Box flexDirection="column">
      <Line display={display} spans={[{ text: 'window too small,' }]} />
      <Line display={display} spans={[{ text: '80x24 is good' }]} />
      <Line display={display} spans={[{ text: 'q quits', tone: 'quiet' }]} />
    </Box>
  );
}
