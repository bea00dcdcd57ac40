import type { Socket } from 'node:net';

export interface Sent {
  readonly bytes: Uint8Array;
  /** False: more is announced than comes, so that the other side has to be told that this is all. */
  readonly whole: boolean;
}

/** All that comes back until the other side closes; of a stream only its head. */
export function exchange(socket: Socket, { bytes, whole }: Sent): Promise<string> {
  return new Promise(resolve => {
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk.toString('latin1');
      if (/^HTTP\/1\.1 200 [\s\S]*?application\/x-ndjson/.test(answer)) socket.destroy();
    });
    // The other side may close before it has taken all of it.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(answer));
    if (whole) socket.write(bytes);
    else socket.end(bytes);
  });
}
