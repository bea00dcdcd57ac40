import { useApp, useInput, usePaste, useWindowSize } from 'ink';
import { type ReactElement, useSyncExternalStore } from 'react';
import { stopUntilContinued } from './job-control.ts';
import { keyNames } from './key-name.ts';
import type { Key } from './keys.ts';
import type { Display } from './scene.ts';
import { Screen } from './screen.tsx';
import type { Session } from './session.ts';

/** The session on a terminal: frames out, keys in. */
export function App({
  session,
  look,
}: {
  session: Session;
  look: Pick<Display, 'colour' | 'ascii'>;
}): ReactElement {
  const { columns, rows } = useWindowSize();
  const { exit, suspendTerminal } = useApp();
  useSyncExternalStore(session.subscribe, session.revision);
  const display: Display = { ...look, columns, rows };

  const typed = (keys: readonly Key[]): void => {
    for (const key of keys) {
      const deed = session.press(key, display);
      if (deed?.is === 'quit') exit(deed.exit);
      if (deed?.is === 'suspend') void stopUntilContinued(suspendTerminal);
      // A question is answered by somebody who has read it, not by what came in one piece with the key before.
      const asks = session.scene(display).view.foot.is;
      if (asks === 'running' || asks === 'question') return;
    }
  };
  useInput((input, key) => typed(keyNames(input, key)));
  // What is pasted is text, never a command.
  usePaste(text => {
    const { is } = session.scene(display).view.foot;
    if (is === 'filter' || is === 'weight') typed([...text]);
  });
  return <Screen scene={session.scene(display)} />;
}
