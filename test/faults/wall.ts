/**
 * Ports at which a connection never comes about: they listen with a short queue that is full, and nobody ever takes one
 * out of it, so that the system drops whatever else knocks. A process of its own, because it has to stand still.
 *
 *   node test/faults/wall.ts PORT…
 */

import { type ChildProcess, fork } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Wall {
  down(): Promise<void>;
}

/** Nobody may listen on these ports. */
export async function wallAt(ports: readonly number[]): Promise<Wall> {
  if (ports.length === 0) return { down: async () => undefined };
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ports.map(String));
  await new Promise<void>((resolve, reject) => {
    child.once('message', said => (said === 'standing' ? resolve() : reject(new Error(String(said)))));
    child.once('exit', code => reject(new Error(`the wall fell with ${code}`)));
  });
  const fillers = await Promise.all(ports.map(fill));
  return {
    down: () =>
      new Promise(resolve => {
        for (const socket of fillers.flat()) socket.destroy();
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

/** A queue of one takes two. Four knock, so that the last ones find it full whatever the system counts. */
async function fill(port: number): Promise<Socket[]> {
  const sockets = [0, 1, 2, 3].map(() => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    return socket;
  });
  await Promise.all(
    sockets.slice(0, 2).map(socket => new Promise(resolve => socket.once('connect', resolve))),
  );
  return sockets;
}

function stand(ports: readonly number[]): void {
  let missing = ports.length;
  for (const port of ports) {
    const server = createServer();
    server.once('error', error => process.send?.(String(error)));
    server.listen({ port, host: '127.0.0.1', backlog: 1 }, () => {
      missing -= 1;
      // Told first, for after that this process does nothing at all.
      if (missing === 0)
        process.send?.('standing', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) stand(process.argv.slice(2).map(Number));
