import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { presets } from '../chains/presets.ts';

/** A simulated node: a process from `fixtures/sim` that answers like the real thing and takes faults over IPC. */

export interface SimNodeSpec {
  readonly chain: string;
  readonly name: string;
  readonly latencyMs?: number;
}

export interface SimNode extends SimNodeSpec {
  readonly url: string;
  readonly pid: number;
  misbehave(fault: { readonly kind: string }): void;
  onExit(told: (how: string) => void): void;
  kill(): void;
}

const program = fileURLToPath(new URL('../../fixtures/sim/node.ts', import.meta.url));

/** All nodes of a chain agree on this moment, and so on every block since. */
const sinceMs = Date.now();

export function startSimNode(spec: SimNodeSpec): Promise<SimNode> {
  const preset = presets[spec.chain];
  if (preset === undefined) throw new Error(`no known chain ${spec.chain}`);
  const world = {
    identity: preset.identity,
    blockTimeMs: preset.blockTimeMs,
    baseHeight: 20_000_000,
    sinceMs,
    keeps: 128,
  };
  const start = { family: preset.family, port: 0, world, latencyMs: spec.latencyMs ?? 0 };
  // A fault of the parent's terminal (Ctrl-C) must not reach the nodes before the daemon has drained.
  const child = fork(program, [JSON.stringify(start)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`the simulated node ${spec.name} ended with ${code}`)));
    child.once('message', message => {
      const { port } = message as { port: number };
      resolve({
        ...spec,
        url: `http://127.0.0.1:${port}`,
        pid: child.pid ?? 0,
        misbehave(fault) {
          if (fault.kind === 'kill') child.kill('SIGKILL');
          else if (child.connected) child.send(fault);
        },
        onExit: told => child.once('exit', (code, signal) => told(signal ?? `exit ${code}`)),
        kill: () => child.kill('SIGKILL'),
      });
    });
  });
}
