/**
 * The way to the endpoints. No HTTP/2, no pipelining, no redirects, no proxies, nothing sent again, and no time limit
 * but the one on connecting.
 */

import type { EndpointSettings } from '../core/chain.ts';
import type { Clock, Line, Outgoing, Transport } from '../gateway/ports.ts';
import { forbidden } from './addresses.ts';
import { connectionStack } from './connections.ts';
import { type Dial, type DialOptions, dialer, type Resolve, systemResolve } from './dial.ts';
import { UpstreamExchange } from './exchange.ts';
import { requestPath } from './request-path.ts';

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly resolve?: Resolve;
  /** Asked unless the endpoint has `allowPrivate`. */
  readonly forbidden?: (address: string) => string | undefined;
  /** PEM; in place of the roots of the runtime. */
  readonly ca?: string;
  /** Told of all that is read, bytes. */
  readonly passed?: (bytes: number) => void;
  /** In place of the network. */
  readonly dialer?: (url: URL, options: DialOptions) => Dial;
}

/** What of an endpoint's settings leads to it. */
type Address = Pick<EndpointSettings, 'url' | 'headers' | 'allowPrivate'>;

export function upstreams(options: UpstreamOptions) {
  const passed = options.passed ?? (() => undefined);
  return {
    open(endpoint: Address, connectTimeoutMs: number): Line {
      const url = new URL(endpoint.url);
      const dial = (options.dialer ?? dialer)(url, {
        clock: options.clock,
        timeoutMs: connectTimeoutMs,
        resolve: options.resolve ?? systemResolve,
        forbidden: endpoint.allowPrivate ? () => undefined : (options.forbidden ?? forbidden),
        ca: options.ca,
      });
      const connections = connectionStack(url.origin, dial);
      const headers = headerSets(endpoint.headers);
      // Most requests go to the URL as it stands.
      const plainPath = requestPath(url, '');
      const { host } = url;
      return {
        send(request, handler) {
          const connection = request.alone ? connections.fresh() : connections.kept();
          const exchange = new UpstreamExchange(handler, host, connection, passed);
          connection.client.dispatch(
            {
              method: request.verb,
              path: request.path === '' ? plainPath : requestPath(url, request.path),
              headers: headers[request.verb][request.gzip ? 'gzip' : 'identity'],
              body: request.body ?? null,
              // The connection ends with this answer.
              reset: request.alone,
            },
            exchange,
          );
          return exchange;
        },
        close: connections.close,
      };
    },
  } satisfies Transport;
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
