import type { Clock, Sink } from '../../src/gateway/ports.ts';

const text = new TextDecoder();

/** A client that reads its answer to the end. */
export class ReadingClient implements Sink {
  readonly gzip = false;
  onGone: Sink['onGone'] = undefined;
  onDrain: Sink['onDrain'] = undefined;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #text = '';
  /** How long it has waited for the end of its answer, ms; undefined: it still does. */
  ms: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  head(): void {
    this.#text = '';
  }

  write(chunk: Uint8Array): boolean {
    this.#text += text.decode(chunk);
    return true;
  }

  end(chunk?: Uint8Array): void {
    if (chunk !== undefined) this.write(chunk);
    this.ms = this.#clock.now() - this.#startedAt;
  }

  destroy(): void {
    throw new Error('the answer was cut');
  }

  get answer(): unknown {
    return JSON.parse(this.#text);
  }
}
