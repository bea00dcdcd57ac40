/**
 * START HERE: one client request in, the right use case out.
 *
 *   family.open ─┬─ refused ──────────── the gateway's own error
 *                ├─ single ─┬─ local ─── answered here
 *                │          ├─ refused ─ never forwarded
 *                │          ├─ broadcast ─ broadcast.ts
 *                │          └─ read ──── forward.ts
 *                └─ batch ── each item as above; reads together, broadcasts one after the other
 */

import type { Call, Incoming } from '../chains/family.ts';
import { broadcastDeadlineMs } from '../core/broadcast.ts';
import type { EndpointRecord } from '../core/endpoint.ts';
import type { Fault } from '../core/errors.ts';
import { resultText, stitch } from '../wire/reply.ts';
import { Forward } from './forward.ts';
import { ForwardBatch, type ItemReply } from './forward-batch.ts';
import { ownReply, sendOwn } from './own-reply.ts';
import type { Chain } from './roster.ts';
import type { Session, World } from './session.ts';

/** A broadcast's answer, for a single request or as an item of a batch. */
export interface BroadcastReply {
  readonly status: number;
  readonly headers: string[];
  readonly body: Uint8Array;
  /** Who accepted the transaction just now. */
  readonly took?: EndpointRecord | undefined;
}

export interface BroadcastOptions {
  /** The client asks for a new broadcast of the same bytes. */
  readonly rebroadcast: boolean;
  /** Monotonic ms by which the whole body must be answered. */
  readonly deadlineAt: number;
}

export type Broadcast = (
  session: Session,
  chain: Chain,
  call: Call,
  options: BroadcastOptions,
) => Promise<BroadcastReply>;

export interface DispatchRequest extends Incoming {
  readonly rebroadcast: boolean;
  /** Told how many calls a batch turned out to hold. */
  readonly calls?: (count: number) => void;
}

const encoder = new TextEncoder();

export class Dispatch {
  readonly #world: World;
  readonly #broadcast: Broadcast;

  constructor(world: World, broadcast: Broadcast) {
    this.#world = world;
    this.#broadcast = broadcast;
  }

  handle(session: Session, chain: Chain, request: DispatchRequest): void {
    const { limits } = this.#world;
    const { development } = chain.settings;
    const opened = chain.family.open(request, {
      maxDepth: limits.depth,
      maxBatch: limits.batchItems,
      development,
    });
    switch (opened.form) {
      case 'single':
        this.#single(session, chain, opened.call, request);
        return;
      case 'batch':
        request.calls?.(opened.calls.length);
        this.#batch(session, chain, opened.calls, request);
        return;
      case 'silent':
        session.sink.head(204, ['rpcgw-request-id', session.requestId]);
        session.sink.end();
        return;
      case 'refused': {
        const id = opened.id === undefined ? {} : { id: opened.id };
        const fault = { ...this.#fault(session, chain, opened.reason, opened.message), ...id };
        sendOwn(session.sink, ownReply(chain.family, undefined, fault));
        return;
      }
    }
  }

  #single(session: Session, chain: Chain, call: Call, request: DispatchRequest): void {
    switch (call.spec.kind) {
      case 'refused':
        sendOwn(session.sink, ownReply(chain.family, call, this.#refusal(session, chain, call)));
        return;
      case 'local':
        session.sink.head(200, ['content-type', 'application/json', 'rpcgw-request-id', session.requestId]);
        session.sink.end(localBody(call));
        return;
      case 'broadcast': {
        const deadlineAt = session.startedAt + broadcastDeadlineMs;
        void this.#send(session, chain, call, { rebroadcast: request.rebroadcast, deadlineAt }).then(
          reply => {
            session.sink.head(reply.status, reply.headers);
            session.sink.end(reply.body);
          },
        );
        return;
      }
      default: {
        const found = this.#filterOwner(session, chain, call);
        if (found.lost !== undefined) sendOwn(session.sink, ownReply(chain.family, call, found.lost));
        else new Forward(this.#world, session, chain, call, found.only);
      }
    }
  }

  #batch(session: Session, chain: Chain, calls: readonly Call[], request: DispatchRequest): void {
    const { clock } = this.#world;
    const bodies = new Map<Call, Uint8Array>();
    const reads: { call: Call; only?: EndpointRecord | undefined }[] = [];
    const broadcasts: Call[] = [];
    for (const call of calls) {
      const { kind } = call.spec;
      if (kind === 'refused')
        bodies.set(call, encoder.encode(chain.family.fault(call, this.#refusal(session, chain, call))));
      else if (kind === 'local') bodies.set(call, localBody(call));
      else if (kind === 'broadcast') broadcasts.push(call);
      else {
        const found = this.#filterOwner(session, chain, call);
        if (found.lost === undefined) reads.push({ call, only: found.only });
        else bodies.set(call, encoder.encode(chain.family.fault(call, found.lost)));
      }
    }
    const readings = reads.map(({ call }) => call);
    const run = {
      attempts: 0,
      endpoints: new Set<string>(),
      waiting: (reads.length > 0 ? 1 : 0) + (broadcasts.length > 0 ? 1 : 0),
    };
    const finish = (): void => {
      if (run.waiting > 0) return;
      const body = stitch(calls.map(call => bodies.get(call) ?? new Uint8Array()));
      const headers = [
        'content-type',
        'application/json',
        'rpcgw-attempts',
        String(run.attempts),
        'rpcgw-request-id',
        session.requestId,
      ];
      if (run.endpoints.size > 0) headers.push('rpcgw-endpoint', [...run.endpoints].join(','));
      session.sink.head(200, headers);
      session.sink.end(body);
    };
    const takeReads = (replies: readonly ItemReply[]): void => {
      replies.forEach((reply, at) => {
        const call = readings[at];
        if (call !== undefined) bodies.set(call, reply.body);
        run.attempts = Math.max(run.attempts, reply.attempts);
        if (reply.endpoint !== undefined) run.endpoints.add(reply.endpoint);
      });
      run.waiting -= 1;
      finish();
    };
    if (run.waiting === 0) {
      finish();
      return;
    }

    const forward =
      reads.length === 0 ? undefined : new ForwardBatch(this.#world, session, chain, reads, takeReads);
    // With a broadcast beside them, a client that went away is not waited for, but nothing is cancelled.
    if (broadcasts.length === 0) {
      session.sink.onGone = forward;
      return;
    }
    const deadlineAt = session.startedAt + broadcastDeadlineMs;
    const timer = clock.after(deadlineAt - clock.now(), () => forward?.expire('deadline'));
    void this.#inOrder(
      session,
      chain,
      broadcasts,
      { rebroadcast: request.rebroadcast, deadlineAt },
      bodies,
    ).then(() => {
      if (run.waiting === 1) timer.cancel();
      run.waiting -= 1;
      finish();
    });
  }

  /** One broadcast. Who took it is remembered for the client's next reads. */
  async #send(
    session: Session,
    chain: Chain,
    call: Call,
    options: BroadcastOptions,
  ): Promise<BroadcastReply> {
    const reply = await this.#broadcast(session, chain, call, options);
    const { sessions, clock } = this.#world;
    if (reply.took !== undefined) sessions.took(chain, session.client, reply.took, clock.now());
    return reply;
  }

  /** Each after the one before is answered: the order may be what makes the second one valid. */
  async #inOrder(
    session: Session,
    chain: Chain,
    calls: readonly Call[],
    options: BroadcastOptions,
    bodies: Map<Call, Uint8Array>,
  ): Promise<void> {
    for (const call of calls) bodies.set(call, (await this.#send(session, chain, call, options)).body);
  }

  /** Calls that use a filter go to the endpoint that made it, and nowhere else. */
  #filterOwner(session: Session, chain: Chain, call: Call): { only?: EndpointRecord; lost?: Fault } {
    if (call.spec.filter !== 'uses') return {};
    const id = chain.family.filterUsed?.(call);
    const key = id === undefined ? undefined : chain.filters.owner(id, this.#world.clock.now());
    const only = chain.pool.records.find(record => record.identityKey === key);
    if (only !== undefined) return { only };
    const text =
      'filter not found: no endpoint is known to have made it; changes may be lost, make the filter anew';
    return { lost: this.#fault(session, chain, 'filter_lost', text) };
  }

  #refusal(session: Session, chain: Chain, call: Call): Fault {
    const why = call.spec.why ?? 'it is not for a gateway';
    return this.#fault(session, chain, 'method_refused', `${call.method} is never forwarded: ${why}`);
  }

  #fault(session: Session, chain: Chain, reason: Fault['reason'], message: string): Fault {
    return { reason, message, chain: chain.settings.name, requestId: session.requestId, attempts: [] };
  }
}

function localBody(call: Call): Uint8Array {
  return encoder.encode(resultText(call.id ?? 'null', call.spec.result ?? 'null'));
}
