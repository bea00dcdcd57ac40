import { setTimeout as pause } from 'node:timers/promises';
import type { SuspendTerminal } from 'ink';

/** Time for the signal to arrive; where there is no shell to come back to, the kernel drops it and this is all. */
const settleMs = 100;

/**
 * Ctrl-Z: in raw mode the terminal sends no signal, so the program hands the screen back and stops itself, with the
 * whole process group: a launcher in front of it that went on would keep the shell waiting.
 */
export async function stopUntilContinued(suspendTerminal: SuspendTerminal): Promise<void> {
  await suspendTerminal(async () => {
    process.kill(0, 'SIGTSTP');
    await pause(settleMs);
  });
}
