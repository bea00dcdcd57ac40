/**
 * The data listener: HTTP in, one client request out to the gateway. Holds the limits and the strictness that belong to
 * HTTP itself; what the body says is the family's business. Node refuses both lengths, doubled lengths, folded headers
 * and bare line feeds by itself; two Hosts, an absolute target, and `chunked` together with anything are refused here.
 */

import { createServer, IncomingMessage, type Server } from 'node:http';
import type { ClientReason } from '../core/errors.ts';
import type { Budget } from '../gateway/budget.ts';
import { ClientRequest, type Door } from './client-request.ts';
import { conversationsOf } from './conversations.ts';
import { type Head, readHead } from './head.ts';
import { Answer, type House, ResponseSink } from './sink.ts';

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
  readonly server: Server<typeof Question, typeof Answer>;
  /** Requests whose answer has not been handed to the system to its last byte. */
  readonly open: number;
}

const pages = /^\/(?:livez|readyz|metrics)(?:\/|$|\?)/;

/** Carries the request it belongs to, so that two listeners do for all of them. */
class Question extends IncomingMessage {
  asked: ClientRequest | undefined = undefined;
}

function onData(this: Question, chunk: Buffer): void {
  this.asked?.data(chunk);
}

function onEnd(this: Question): void {
  this.asked?.end();
}

export function createIngress(handlers: IngressHandlers, limits: IngressLimits, budget: Budget): Ingress {
  const prefix = `${Math.floor(performance.timeOrigin).toString(36)}-`;
  const house: House = { budget, open: 0, closing: handlers.closing };
  const door: Door = {
    bodyBytes: limits.bodyBytes,
    request: handlers.request,
    refuseBody(request, sink, reason) {
      sink.last();
      handlers.refuse(request.chain, reason, bodyRefusal(reason), request.requestId, sink);
    },
    owe: handlers.owe,
  };
  let counter = 0;

  const server = createServer<typeof Question, typeof Answer>(
    {
      IncomingMessage: Question,
      ServerResponse: Answer,
      // The runtime would set a timer at each answer and end it at each request: connections are looked over instead.
      keepAliveTimeout: 0,
      headersTimeout: limits.headMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(5000, limits.headMs),
      maxHeaderSize: 16 * 1024,
      // Node would answer by itself and go on reading.
      requireHostHeader: false,
    },
    (request, response) => {
      counter += 1;
      const conversation = conversations.of(request.socket);
      const head = readHead(request);
      const gzip = head.acceptEncoding !== undefined && /\bgzip\b/.test(head.acceptEncoding);
      const sink = new ResponseSink(response, house, conversation, gzip);
      if (conversation.ending) return;
      if (conversation.unanswered > mostInARow) {
        conversation.ending = true;
        request.socket.destroy();
        return;
      }
      receive(request, head, sink, prefix + counter.toString(36));
    },
  );
  server.maxHeadersCount = 0;
  const conversations = conversationsOf(server, limits.stallMs);
  server.on('checkExpectation', (request: Question, response: Answer) => {
    conversations.of(request.socket).ending = true;
    response.shouldKeepAlive = false;
    response.writeHead(417, ['content-length', '0']);
    response.end();
  });
  return {
    server,
    get open() {
      return house.open;
    },
  };

  function receive(request: Question, head: Head, sink: ResponseSink, requestId: string): void {
    const target = request.url ?? '/';
    if (head.flaw !== undefined) {
      sink.last();
      handlers.refuse(undefined, 'invalid_request', head.flaw, requestId, sink);
      return;
    }
    if (request.rawHeaders.length > 2 * mostHeaders) {
      sink.last();
      handlers.refuse(undefined, 'too_large', `more than ${mostHeaders} headers`, requestId, sink);
      return;
    }
    if (request.method === 'GET' && pages.test(target)) {
      servePage(target, sink, requestId);
      return;
    }
    // Any page that somebody here looks at can send to this machine, by a name of its own even, but it has no key.
    if (head.ofPage && head.authorization === undefined) {
      sink.last();
      handlers.refuse(undefined, 'unauthorized', 'a web page (Origin) needs a client key', requestId, sink);
      return;
    }
    const client = handlers.admit(head.authorization, request.socket.remoteAddress);
    if (client === undefined) {
      sink.last();
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
      const message = 'this client asks more often than it may';
      handlers.refuse(chain, 'client_rate', message, requestId, sink, waitMs);
      return;
    }
    const verb = request.method ?? '';
    const rest = target.slice(path.length);
    const asked = new ClientRequest(door, sink, head, { chain, verb, target: rest, requestId, client });
    if (Number(head.contentLength ?? 0) > limits.bodyBytes) {
      asked.giveUp('too_large');
      return;
    }
    request.asked = asked;
    request.on('data', onData);
    request.on('end', onEnd);
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

function shown(target: string): string {
  return target.length > 60 ? `${target.slice(0, 60)}…` : target;
}
