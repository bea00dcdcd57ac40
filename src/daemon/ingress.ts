/**
 * The data listener: HTTP in, one client request out to the gateway. Holds the limits and the strictness that belong to
 * HTTP itself; what the body says is the family's business. Node refuses both lengths, doubled lengths, folded headers
 * and bare line feeds by itself; two Hosts, an absolute target, and `chunked` together with anything are refused here.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientReason } from '../core/errors.ts';
import type { Budget } from '../gateway/budget.ts';
import { Pieces } from '../gateway/pieces.ts';
import { ResponseSink } from './sink.ts';

/** One client request, its body whole. */
export interface ClientRequest {
  readonly chain: string;
  readonly verb: string;
  /** What follows the chain in the raw target, query included. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly requestId: string;
  readonly client: string;
  /** Told how many calls the body turned out to hold, when it is a batch. */
  calls(count: number): void;
  readonly headers: IncomingMessage['headers'];
}

export interface IngressHandlers {
  /** Longest path that leads to a chain, `/<chain>` or an alias, to the chain's name. */
  chainAt(path: string): string | undefined;
  request(request: ClientRequest, sink: ResponseSink): void;
  /** An error before the gateway saw the request. */
  refuse(
    chain: string | undefined,
    reason: ClientReason,
    message: string,
    requestId: string,
    sink: ResponseSink,
    retryAfterMs?: number,
  ): void;
  /** `/livez`, `/readyz`, …: undefined when the path is none of them. */
  page(path: string): Page | undefined | Promise<Page | undefined>;
  /** The client's name, or undefined when it may not come in. */
  admit(authorization: string | undefined, address: string | undefined): string | undefined;
  /** Takes calls of a client: 0 when they may be made, else ms until they could be. */
  pace(client: string): number;
  owe(client: string, calls: number): void;
  /** True while draining: every answer ends its connection. */
  closing(): boolean;
}

export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export interface IngressLimits {
  readonly bodyBytes: number;
  /** How long a request's head, and the whole of it, may take to come in, ms. */
  readonly headMs: number;
  readonly requestMs: number;
  /** How long a client may take nothing of an answer that waits for it, ms. */
  readonly stallMs: number;
}

/** Every client library sends far fewer; Node would leave out of sight what comes after its own limit. */
const mostHeaders = 200;
/** Requests of one connection that are not answered yet: nobody has so many who means to read the answers. */
const mostInARow = 128;

export interface Ingress {
  readonly server: Server;
  /** Requests whose answer has not been handed to the system to its last byte. */
  readonly open: number;
}

const pages = /^\/(?:livez|readyz|metrics)(?:\/|$|\?)/;

export function createIngress(handlers: IngressHandlers, limits: IngressLimits, budget: Budget): Ingress {
  const prefix = `${Math.floor(performance.timeOrigin).toString(36)}-`;
  /** Connections whose last request came: what a client sent after it, unasked, is read by nobody. */
  const ending = new WeakSet<Socket>();
  const unanswered = new WeakMap<Socket, number>();
  let counter = 0;
  let open = 0;

  const server = createServer(
    {
      // A server that closes idle connections early meets a client that is just sending a transaction.
      keepAliveTimeout: 75_000,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(5000, limits.headMs),
      maxHeaderSize: 16 * 1024,
      // Node would answer by itself and go on reading.
      requireHostHeader: false,
    },
    (request, response) => {
      counter += 1;
      open += 1;
      const { socket } = request;
      const inARow = (unanswered.get(socket) ?? 0) + 1;
      unanswered.set(socket, inARow);
      response.once('close', () => {
        open -= 1;
        unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
      });
      if (ending.has(socket)) return;
      if (inARow > mostInARow) {
        ending.add(socket);
        socket.destroy();
        return;
      }
      receive(request, response, prefix + counter.toString(36));
    },
  );
  server.maxHeadersCount = 0;
  // An answer nobody takes holds memory here and, while it streams, a request at an endpoint. Where no answer waits, this
  // is either a connection kept alive for long enough, or one that waits for us.
  server.timeout = limits.stallMs;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || !unanswered.get(socket)) socket.destroy();
    else socket.setTimeout(limits.stallMs);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    endWith(request, response);
    response.writeHead(417, ['content-length', '0']);
    response.end();
  });
  return {
    server,
    get open() {
      return open;
    },
  };

  function endWith(request: IncomingMessage, response: ServerResponse): void {
    ending.add(request.socket);
    response.shouldKeepAlive = false;
  }

  function receive(request: IncomingMessage, response: ServerResponse, requestId: string): void {
    const gzip =
      request.headers['accept-encoding'] !== undefined && /\bgzip\b/.test(request.headers['accept-encoding']);
    const sink = new ResponseSink(response, gzip, handlers.closing, budget);
    const target = request.url ?? '/';
    const smuggling = ambiguity(request);
    if (smuggling !== undefined) {
      endWith(request, response);
      handlers.refuse(undefined, 'invalid_request', smuggling, requestId, sink);
      return;
    }
    if (request.rawHeaders.length > 2 * mostHeaders) {
      endWith(request, response);
      handlers.refuse(undefined, 'too_large', `more than ${mostHeaders} headers`, requestId, sink);
      return;
    }
    if (request.method === 'GET' && pages.test(target)) {
      servePage(target, sink, requestId);
      return;
    }
    const client = handlers.admit(request.headers.authorization, request.socket.remoteAddress);
    if (client === undefined) {
      endWith(request, response);
      handlers.refuse(undefined, 'unauthorized', 'this gateway asks for a client key', requestId, sink);
      return;
    }
    const path = chainPath(target);
    const chain = path === undefined ? undefined : handlers.chainAt(path);
    if (chain === undefined || path === undefined) {
      request.resume();
      handlers.refuse(undefined, 'not_found', `no chain is served at ${shown(target)}`, requestId, sink);
      return;
    }
    const waitMs = handlers.pace(client);
    if (waitMs > 0) {
      request.resume();
      handlers.refuse(
        chain,
        'client_rate',
        'this client asks more often than it may',
        requestId,
        sink,
        waitMs,
      );
      return;
    }
    collect(request, response, body => {
      if (typeof body === 'string') {
        endWith(request, response);
        return handlers.refuse(chain, body, bodyRefusal(body), requestId, sink);
      }
      const verb = request.method ?? '';
      const rest = target.slice(path.length);
      handlers.request(
        {
          chain,
          verb,
          target: rest,
          body,
          requestId,
          client,
          calls: count => handlers.owe(client, count - 1),
          headers: request.headers,
        },
        sink,
      );
    });
  }

  /** The longest prefix of the target, cut at slashes, that is a chain's name or alias. */
  function chainPath(target: string): string | undefined {
    if (handlers.chainAt(target) !== undefined) return target;
    const query = target.indexOf('?');
    let path = query < 0 ? target : target.slice(0, query);
    while (path.length > 1) {
      if (handlers.chainAt(path) !== undefined) return path;
      path = path.slice(0, path.lastIndexOf('/'));
    }
    return undefined;
  }

  function bodyRefusal(reason: 'too_large' | 'overloaded'): string {
    return reason === 'too_large'
      ? `the body is larger than ${limits.bodyBytes} bytes`
      : 'too much is held in memory for other requests, try again shortly';
  }

  function collect(
    request: IncomingMessage,
    response: ServerResponse,
    done: (body: Uint8Array | 'too_large' | 'overloaded') => void,
  ): void {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > limits.bodyBytes) {
      done('too_large');
      return;
    }
    const held = new Pieces();
    let cost = 0;
    let over = false;
    const giveUp = (reason: 'too_large' | 'overloaded'): void => {
      over = true;
      budget.give(cost);
      done(reason);
    };
    request.on('data', (chunk: Buffer) => {
      if (over) return;
      if (held.bytes + chunk.length > limits.bodyBytes) return giveUp('too_large');
      const more = held.costOf(chunk);
      if (!budget.take(more)) return giveUp('overloaded');
      cost += more;
      held.add(chunk);
    });
    request.on('end', () => {
      if (over) return;
      over = true;
      // Held until the answer is through or the client is gone: either closes the response.
      response.on('close', () => budget.give(cost));
      done(held.whole());
    });
    request.on('close', () => {
      if (over) return;
      over = true;
      budget.give(cost);
    });
  }

  function servePage(target: string, sink: ResponseSink, requestId: string): void {
    Promise.resolve(handlers.page(target)).then(
      page => {
        if (page === undefined)
          return handlers.refuse(undefined, 'not_found', 'no such page', requestId, sink);
        sink.head(page.status, ['content-type', page.contentType]);
        sink.end(Buffer.from(page.body));
      },
      (error: unknown) => handlers.refuse(undefined, 'internal', String(error), requestId, sink),
    );
  }
}

/** What two HTTP readers could take for two different requests. */
function ambiguity(request: IncomingMessage): string | undefined {
  if (request.url?.charCodeAt(0) !== 47) return 'the request target must be a path';
  const { httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'a version that is not HTTP/1';
  const raw = request.rawHeaders;
  let hosts = 0;
  let keys = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at];
    if (name === undefined) continue;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (raw[at + 1] !== 'chunked') return 'a transfer encoding other than chunked';
      if (httpVersion !== '1.1') return 'chunked on HTTP/1.0';
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') keys += 1;
  }
  if (hosts > 1) return 'more than one Host';
  if (hosts === 0 && httpVersion === '1.1') return 'no Host';
  return keys > 1 ? 'more than one Authorization' : undefined;
}

function shown(target: string): string {
  return target.length > 60 ? `${target.slice(0, 60)}…` : target;
}
