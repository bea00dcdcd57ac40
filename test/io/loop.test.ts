import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { loop } from '../../src/io/loop.ts';

it('gives sockets, timers and promises their turn, however long a chain of turns is', async () => {
  const server = createServer(socket => socket.pipe(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1'); // A TCP server that listens has one.
  const seen = new Set<string>();
  await new Promise<void>(resolve => {
    const next = (): void => {
      if (seen.size === 3) resolve();
      else loop.turn(next);
    };
    socket.once('data', () => seen.add('socket'));
    setTimeout(() => seen.add('timer'), 1);
    void Promise.resolve().then(() => seen.add('promise'));
    loop.turn(next);
    expect(seen.size).toBe(0);
    socket.write('a');
  });
  expect(seen).toEqual(new Set(['promise', 'socket', 'timer']));
  socket.destroy();
  server.close();
});
