/** The client side: the listener with who may come in, how fast, how many, and the way from a request into the gateway. */

import { isLoopback } from '../config/hosts.ts';
import type { GatewaySettings } from '../config/settings.ts';
import type { Budget } from '../gateway/budget.ts';
import type { Dispatch } from '../gateway/dispatch.ts';
import { ownReply, sendOwn } from '../gateway/own-reply.ts';
import type { Clock, Events } from '../gateway/ports.ts';
import { clientPace } from './client-pace.ts';
import { clients } from './clients.ts';
import { limitConnections } from './connections.ts';
import { createIngress, type Ingress, type IngressHandlers } from './ingress.ts';
import { pause } from './pause.ts';
import type { Pools } from './pools.ts';
import { sessionName } from './session-name.ts';

export interface ClientSideOptions {
  readonly settings: GatewaySettings;
  readonly pools: Pick<Pools, 'roster' | 'chainAt'>;
  readonly dispatch: Pick<Dispatch, 'handle'>;
  readonly clock: Clock;
  readonly events: Events;
  readonly budget: Budget;
  readonly page: IngressHandlers['page'];
  /** True while draining. */
  closing(): boolean;
}

/** Listens to nothing yet. */
export function clientSide(options: ClientSideOptions): Ingress {
  const { settings, pools, dispatch, clock, events, budget, page, closing } = options;
  const { limits } = settings;
  const named = new Set(settings.clients?.keys.map(({ name }) => name));
  const rules = clients(settings.clients);
  const pace = clientPace(settings.clients?.rps);
  const isPublic = !isLoopback(settings.listen.host);
  const ingress = createIngress(
    {
      chainAt: pools.chainAt,
      admit: rules.admit,
      pace: client => pace.take(client, clock.now()),
      owe: (client, calls) => pace.owe(client, calls, clock.now()),
      closing,
      // Others than this machine reach the listener: they are not told how the pools fare.
      page: target => (isPublic && target.startsWith('/metrics') ? undefined : page(target)),
      request: (request, sink) => {
        const chain = pools.roster().chains.get(request.chain);
        if (chain === undefined) {
          // A reload took it away while the request came in.
          const message = `the chain ${request.chain} is not served any more`;
          const fault = { reason: 'not_found' as const, message, chain: request.chain, attempts: [] };
          sendOwn(sink, ownReply(undefined, undefined, { ...fault, requestId: request.requestId }));
          return;
        }
        const session = {
          requestId: request.requestId,
          startedAt: clock.now(),
          sink,
          client: sessionName(request, named),
          strict: request.strict,
        };
        dispatch.handle(session, chain, request);
      },
      refuse: (name, reason, message, requestId, sink, retryAfterMs) => {
        const family = name === undefined ? undefined : pools.roster().chains.get(name)?.family;
        const waitMs = retryAfterMs ?? (reason === 'overloaded' ? 1000 : undefined);
        const retry = waitMs === undefined ? {} : { retryAfterMs: waitMs };
        sendOwn(
          sink,
          ownReply(family, undefined, {
            reason,
            message,
            chain: name ?? '',
            requestId,
            attempts: [],
            ...retry,
          }),
        );
      },
    },
    { bodyBytes: limits.bodyBytes, headMs: 10_000, requestMs: 60_000, stallMs: 30_000 },
    budget,
  );
  limitConnections(ingress.server, {
    clock,
    most: limits.connections,
    onFull: full => {
      const text = full
        ? `all ${limits.connections} connections of clients are taken, more are turned away`
        : 'there is room for connections of clients again';
      events.emit({ kind: 'connections', chain: '', level: full ? 'alarm' : 'info', text });
    },
  });
  return ingress;
}

/** The listener closes at once; the work goes on to its last byte, or until the time for it is over. */
export async function drained(
  ingress: Ingress,
  inFlight: () => number,
  timeoutMs: number,
  clock: Clock,
): Promise<void> {
  const until = clock.now() + timeoutMs;
  const closed = new Promise<void>(resolve => ingress.server.close(() => resolve()));
  while (ingress.open + inFlight() > 0 && clock.now() < until) await pause(clock, 20);
  // Connections kept alive, or opened and never used, would hold the listener for as long as they like.
  ingress.server.closeAllConnections();
  await closed;
}
