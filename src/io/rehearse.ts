/**
 * Exchanges over sockets in memory, one after the other, with each of the ways they end, before the first client comes. V8 builds on
 * what it has seen: that no stream ever ended with an error, that no client of undici ever lost its socket. The first endpoint that
 * hung proved it wrong, and a hundred compiled functions, those of Node's streams among them, were thrown away in that
 * turn: all requests waited for 25 to 45 ms. What has happened before anything is compiled surprises nobody.
 */

import { Socket } from 'node:net';
import type { TransportKind } from '../core/transport-fault.ts';
import type { AnswerHandler, Clock, Exchange } from '../gateway/ports.ts';
import type { Dial } from './dial.ts';
import { upstreams } from './upstream.ts';

const body = new TextEncoder().encode('{}');
const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

/** Nobody is at its other end. */
class SocketInMemory extends Socket {
  readonly #written: () => void;

  constructor(written: () => void) {
    super();
    this.#written = written;
  }

  override _read(): void {
    // What comes is pushed.
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
    this.#written();
  }

  override _writev(_chunks: unknown, done: () => void): void {
    done();
    this.#written();
  }

  override _final(done: () => void): void {
    done();
  }
}

/** What a line's handler was told of an exchange, or that it was given up. */
type Ended = 'answered' | 'given up' | TransportKind;

type Ending = (socket: Socket, exchange: Exchange, over: (how: Ended) => void) => void;

const endings: readonly Ending[] = [
  socket => socket.push(answer),
  (_, exchange, over) => {
    exchange.abort();
    // Who gives up is told nothing more.
    over('given up');
  },
  socket => socket.destroy(new Error('reset')),
  socket => {
    socket.push(answer.slice(0, -1));
    socket.push(null);
  },
];

/** How they ended. Twice each, since V8 takes its notes of what another object was before; more often brings nothing. */
export async function rehearseExchanges(clock: Clock): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (const ending of [...endings, ...endings]) ended.push(await exchangeThat(ending, clock));
  return ended;
}

function exchangeThat(ending: Ending, clock: Clock): Promise<Ended> {
  return new Promise(resolve => {
    const over = (how: Ended): void => {
      line.close();
      resolve(how);
    };
    const handler: AnswerHandler = {
      head: () => undefined,
      data: () => true,
      end: () => over('answered'),
      fault: ({ kind }) => over(kind),
    };
    const dial: Dial = connected => {
      const socket = new SocketInMemory(() => setImmediate(ending, socket, exchange, over));
      process.nextTick(connected, null, socket);
      return { cancel: () => void socket.destroy() };
    };
    const endpoint = { url: 'http://rehearsal.invalid/', headers: {}, allowPrivate: false };
    const line = upstreams({ clock, dialer: () => dial }).open(endpoint, 1000);
    const exchange = line.send({ verb: 'POST', path: '', body, gzip: false, alone: false }, handler);
  });
}
