/** How many connections clients may have. Past the limit one is told so at once and let go, before it is read. */

import type { Server, Socket } from 'node:net';
import type { Clock } from '../gateway/ports.ts';

export interface ConnectionOptions {
  readonly clock: Clock;
  readonly most: number;
  /** Told when the limit is reached, and when there is room again. */
  onFull(full: boolean): void;
}

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: -32005,
    message: 'too many connections, try again shortly',
    data: { source: 'rpcgw', reason: 'overloaded' },
  },
});
/** The delay in the form that no library reads as milliseconds (contract section 2). */
const refusal =
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 01\r\nconnection: close\r\n' +
  `content-length: ${body.length}\r\n\r\n${body}`;

/** Refused clients that are still being told; past it they are cut off. */
const mostTold = 256;
const tellMs = 1000;

export function limitConnections(server: Server, options: ConnectionOptions): void {
  const { clock, most, onFull } = options;
  let open = 0;
  let told = 0;
  let full = false;
  // The HTTP server takes a connection by listening for it; it is to get only those there is room for.
  const take = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open >= most) {
      refuse(socket);
      return;
    }
    open += 1;
    socket.once('close', left);
    for (const each of take) each.call(server, socket);
  });

  function left(): void {
    open -= 1;
    if (!full || open >= most * 0.9) return;
    full = false;
    onFull(false);
  }

  function refuse(socket: Socket): void {
    if (!full) onFull(true);
    full = true;
    socket.on('error', () => undefined);
    if (told >= mostTold) {
      socket.destroy();
      return;
    }
    told += 1;
    // What it sends meanwhile is read and thrown away: closed with bytes unread, the answer would be lost on its way.
    socket.resume();
    socket.end(refusal);
    const limit = clock.after(tellMs, () => socket.destroy());
    socket.once('close', () => {
      told -= 1;
      limit.cancel();
    });
  }
}
