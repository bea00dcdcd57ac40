import { Client } from 'undici';
import type { Dial, Dialing } from './dial.ts';

/** undici, with everything taken away that it would do by itself. */
const bare = {
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

/** One HTTP client, one connection at a time, one request at a time. */
export class Connection {
  readonly client: Client;
  readonly #keep: (connection: Connection) => boolean;
  #dialing: Dialing | undefined;

  constructor(origin: string, dial: Dial, keep: (connection: Connection) => boolean) {
    this.client = new Client(origin, {
      ...bare,
      connect: (_, done) => {
        this.#dialing = dial(done);
      },
    });
    this.#keep = keep;
    this.#dialing = undefined;
  }

  /** Its request ended well. */
  release(): void {
    if (!this.#keep(this)) void this.client.close();
  }

  /** Its request did not; whatever is there of the connection ends now. */
  drop(): void {
    this.#dialing?.cancel();
    void this.client.destroy();
  }
}

/**
 * The connections of one endpoint that wait for work, as a stack: the last used is used first, the others fall asleep.
 * undici's own pool opens a second connection when a request follows an answer in the same turn, and cannot take back a
 * request that waits for a connection. There is no limit and no queue: waiting belongs to the gateway's busy gate, where
 * it is seen.
 */
export function connectionStack(origin: string, dial: Dial) {
  const idle: Connection[] = [];
  let closed = false;
  const open = (keep: (connection: Connection) => boolean): Connection => {
    const connection = new Connection(origin, dial, keep);
    // Its client is then closed, and says so to whatever is sent.
    if (closed) connection.release();
    return connection;
  };
  const keep = (connection: Connection): boolean => {
    if (!closed) idle.push(connection);
    return !closed;
  };
  return {
    kept: (): Connection => idle.pop() ?? open(keep),
    /** For one request: a kept one that has died would swallow it and leave its fate unknown. */
    fresh: (): Connection => open(() => false),
    close(): void {
      closed = true;
      for (const connection of idle.splice(0)) connection.release();
    },
  };
}
