import type { RecordedBroadcast } from './ports.ts';

const mostBytes = 32 * 1024 * 1024;
/** What an entry takes besides the node's answer, roughly. */
const entryBytes = 1_000;

/**
 * Broadcasts that ended a moment ago. Their outcome may not be on disk yet, so the record alone could not answer a repeat;
 * what is pushed out of here it can.
 */
export class Recent {
  readonly #entries = new Map<string, { readonly recorded: RecordedBroadcast; readonly until: number }>();
  #bytes = 0;

  get(key: string, now: number): RecordedBroadcast | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.until > now ? entry.recorded : undefined;
  }

  set(key: string, recorded: RecordedBroadcast, until: number, now: number): void {
    this.#drop(key);
    this.#entries.set(key, { recorded, until });
    this.#bytes += sizeOf(recorded);
    for (const [oldest, entry] of this.#entries) {
      if (entry.until > now && this.#bytes <= mostBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= sizeOf(entry.recorded);
  }
}

function sizeOf({ answer }: RecordedBroadcast): number {
  return entryBytes + (answer?.length ?? 0);
}
