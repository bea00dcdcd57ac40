import type { Budget } from './budget.ts';
import type { Chance, Clock, Events, Inflate, Sink, Telemetry } from './ports.ts';
import type { Sessions } from './sessions.ts';

/** What every use case has at hand. */
export interface World {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly budget: Budget;
  readonly inflate: Inflate;
  readonly events: Events;
  readonly telemetry: Telemetry;
  readonly sessions: Sessions;
  readonly limits: {
    readonly batchItems: number;
    readonly depth: number;
    /** Error bodies, and whatever else is held whole though it cannot be streamed. */
    readonly errorBodyBytes: number;
  };
}

/** One client's exchange: what its answer needs besides the call. */
export interface Session {
  readonly requestId: string;
  readonly startedAt: number;
  readonly sink: Sink;
  /** Who the client is, by its key or its `rpcgw-session` header; undefined: it did not say. */
  readonly client?: string | undefined;
  /** It asks for `rpcgw-freshness: strict`. */
  readonly strict?: boolean;
}
