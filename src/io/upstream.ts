/**
 * The way to the endpoints: undici, with everything taken away that it would do by itself. No HTTP/2, no pipelining, no
 * redirects, no proxies, no timeouts of its own, nothing sent again.
 */

import { Client, Pool } from 'undici';
import type { AnswerHandler, Clock, Line, Outgoing, Transport } from '../gateway/ports.ts';
import { forbidden } from './addresses.ts';
import { type Dialing, dialer, type Resolve, systemResolve } from './dial.ts';
import { UpstreamExchange } from './exchange.ts';
import { closedLine } from './faults.ts';
import { requestPath } from './request-path.ts';

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly resolve?: Resolve;
  /** Asked unless the endpoint has `allowPrivate`. */
  readonly forbidden?: (address: string) => string | undefined;
  /** PEM; in place of the roots of the runtime. */
  readonly ca?: string;
}

const httpClient = {
  allowH2: false,
  // In words, because an environment variable chooses the parser otherwise.
  useMilo: false,
  pipelining: 1,
  // The gateway keeps its own deadlines; these tick in half seconds and do not cover the wait for a connection.
  headersTimeout: 0,
  bodyTimeout: 0,
  maxHeaderSize: 16 * 1024,
  // Outlasts the probes' interval, so that a quiet endpoint keeps a connection. An earlier end that the server
  // announces is kept to.
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 60_000,
} as const;

export function upstreams(options: UpstreamOptions): Transport {
  return {
    open(endpoint, connectTimeoutMs): Line {
      const url = new URL(endpoint.url);
      const dial = dialer(url, {
        clock: options.clock,
        timeoutMs: connectTimeoutMs,
        resolve: options.resolve ?? systemResolve,
        forbidden: endpoint.allowPrivate ? () => undefined : (options.forbidden ?? forbidden),
        ca: options.ca,
      });
      const pool = new Pool(url.origin, {
        ...httpClient,
        // As many as the gateway ever asks for at once: waiting belongs to its busy gate, where it is seen.
        connections: endpoint.maxInFlight,
        connect: (_, done) => {
          dial(done);
        },
      });
      const headers = headerSets(endpoint.headers);
      let closed = false;

      /** Never a kept connection: a dead one would swallow the request and leave its fate unknown. */
      function sendAlone(request: Outgoing, handler: AnswerHandler): UpstreamExchange {
        let dialing: Dialing | undefined;
        const client = new Client(url.origin, {
          ...httpClient,
          connect: (_, done) => {
            dialing = dial(done);
          },
        });
        const exchange = new UpstreamExchange(handler, url.host, () => {
          dialing?.cancel();
          void client.destroy();
        });
        client.dispatch(dispatchOptions(request), exchange);
        return exchange;
      }

      function dispatchOptions(request: Outgoing) {
        return {
          method: request.verb,
          path: requestPath(url, request.path),
          headers: headers[request.verb][request.gzip ? 'gzip' : 'identity'],
          body: request.body ?? null,
          // The connection ends with this answer.
          reset: request.alone,
        };
      }

      return {
        send(request, handler) {
          if (request.alone && !closed) return sendAlone(request, handler);
          const exchange = new UpstreamExchange(handler, url.host, undefined);
          if (closed) exchange.fail(closedLine(url.host));
          else pool.dispatch(dispatchOptions(request), exchange);
          return exchange;
        },
        close() {
          if (closed) return;
          closed = true;
          void pool.close();
        },
      };
    },
  };
}

type Encoding = 'gzip' | 'identity';

/** Made once a line. Ours win over configured ones of the same name: the gateway must be able to read the answer. */
function headerSets(
  configured: Readonly<Record<string, string>>,
): Record<Outgoing['verb'], Record<Encoding, string[]>> {
  const own = Object.entries(configured)
    .filter(([name]) => !['accept-encoding', 'content-type'].includes(name.toLowerCase()))
    .flat();
  const json = ['content-type', 'application/json'];
  const accept = (encoding: Encoding) => ['accept-encoding', encoding];
  return {
    POST: {
      gzip: [...json, ...accept('gzip'), ...own],
      identity: [...json, ...accept('identity'), ...own],
    },
    GET: { gzip: [...accept('gzip'), ...own], identity: [...accept('identity'), ...own] },
  };
}
