/**
 * The connections of clients, looked over now and then: whose answer waits to be taken gets a time limit, who has been at
 * rest for long is let go. The server's own timeout would do the same, at the price of setting a timer several times a
 * request.
 */

import type { Server, Socket } from 'node:net';

/** One connection of a client. */
export interface Conversation {
  /** Requests on it that have no answer yet. */
  unanswered: number;
  /** Its last request came: what the client sent after it, unasked, is read by nobody. */
  ending: boolean;
  /** Bytes it had sent when it was last looked at. */
  read: number;
  /** Since when it was seen to do nothing, ms of the process; undefined: it was doing something. */
  restsSince: number | undefined;
  /** An answer waited for it when it was last looked at, and its time to take some of it is running. */
  timed: boolean;
}

/** How long a connection is kept that is not used, as clients are told, ms; up to two looks more. */
export const restMs = 75_000;
const longestLookMs = 5000;

export interface Conversations {
  of(socket: Socket): Conversation;
}

/** `stallMs`: how long a client may take nothing of an answer that waits for it, ms; up to one look more. */
export function conversationsOf(server: Server, stallMs: number): Conversations {
  const all = new Map<Socket, Conversation>();
  const looks = setInterval(look, Math.min(longestLookMs, stallMs / 2)).unref();
  server.on('close', () => clearInterval(looks));
  // An answer nobody takes holds memory here and, while it streams, a request at an endpoint. The runtime sees to it that
  // a timer does not end before the system has taken nothing for its whole span.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });

  function begin(socket: Socket): Conversation {
    const conversation: Conversation = {
      unanswered: 0,
      ending: false,
      read: 0,
      restsSince: undefined,
      timed: false,
    };
    all.set(socket, conversation);
    socket.once('close', forget);
    return conversation;
  }

  function forget(this: Socket): void {
    all.delete(this);
  }

  function look(): void {
    const now = performance.now();
    for (const [socket, conversation] of all) {
      const waits = socket.writableLength > 0;
      if (waits !== conversation.timed) {
        conversation.timed = waits;
        socket.setTimeout(waits ? stallMs : 0);
      }
      // One that waits for us is not at rest, nor is one that is just sending.
      const { bytesRead } = socket;
      const rests = !waits && conversation.unanswered === 0 && bytesRead === conversation.read;
      conversation.read = bytesRead;
      if (!rests) conversation.restsSince = undefined;
      else if (conversation.restsSince === undefined) conversation.restsSince = now;
      // A server that ends connections at rest early meets a client that is just sending a transaction.
      else if (now - conversation.restsSince >= restMs) socket.destroy();
    }
  }

  return { of: socket => all.get(socket) ?? begin(socket) };
}
