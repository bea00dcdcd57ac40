/**
 * Which endpoint made which filter. A filter lives on one node, and reading it consumes what it returns, so every later
 * call goes to that node or nowhere. Ids are the node's own and may collide between nodes: then neither is served.
 */

/** Nodes drop filters that nobody asked for 5 minutes; after three times that ours is surely gone. */
const idleMs = 15 * 60_000;
const mostFilters = 10_000;

interface Filter {
  readonly endpoint: string;
  usedMs: number;
}

export class Filters {
  readonly #byId = new Map<string, Filter>();

  /** False: the id is already another endpoint's, and serving it could give one client another one's changes. */
  made(id: string, endpoint: string, nowMs: number): boolean {
    const there = this.#byId.get(id);
    if (there !== undefined && there.endpoint !== endpoint && nowMs - there.usedMs < idleMs) return false;
    this.#byId.delete(id);
    this.#byId.set(id, { endpoint, usedMs: nowMs });
    if (this.#byId.size > mostFilters) this.#dropOldest();
    return true;
  }

  /** Identity key of the endpoint that made it. */
  owner(id: string, nowMs: number): string | undefined {
    const there = this.#byId.get(id);
    if (there === undefined) return undefined;
    if (nowMs - there.usedMs >= idleMs) {
      this.#byId.delete(id);
      return undefined;
    }
    there.usedMs = nowMs;
    return there.endpoint;
  }

  #dropOldest(): void {
    const oldest = this.#byId.keys().next();
    if (!oldest.done) this.#byId.delete(oldest.value);
  }
}
