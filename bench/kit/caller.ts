/**
 * A client of bare sockets in the bench's own process, for what a closed loop cannot show: requests at their times whether
 * or not earlier ones are answered (latency counts from the time a request was due), first bytes, and slow readers.
 */

import { connect, type Socket } from 'node:net';

export interface Target {
  readonly url: string;
  readonly path: string;
}

export interface Answered {
  readonly status: number;
  readonly body: Buffer;
}

const headEnd = Buffer.from('\r\n\r\n');

export function requestBytes({ url, path }: Target, body: string | Buffer): Buffer {
  const { host } = new URL(url);
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

export function dial({ url }: Target): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once('error', reject);
  });
}

/** One connection, one request at a time. */
export class Caller {
  readonly #socket: Socket;
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = 0;
  #status = 0;
  #headBytes = 0;
  #done: ((answer: Answered | undefined) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#data(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end(undefined));
  }

  get closed(): boolean {
    return this.#socket.destroyed;
  }

  /** Undefined: the connection broke. */
  ask(request: Buffer): Promise<Answered | undefined> {
    return new Promise(resolve => {
      this.#done = resolve;
      if (this.closed) this.#end(undefined);
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #data(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#held += chunk.length;
    if (this.#wanted === 0 && !this.#readHead()) return;
    if (this.#held < this.#wanted) return;
    const all = Buffer.concat(this.#pieces);
    this.#end({ status: this.#status, body: all.subarray(this.#headBytes, this.#wanted) });
  }

  #readHead(): boolean {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    const at = all.indexOf(headEnd);
    if (at < 0) return false;
    const head = all.toString('latin1', 0, at);
    this.#status = Number(head.slice(9, 12));
    this.#headBytes = at + 4;
    this.#wanted = at + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    return true;
  }

  #end(answer: Answered | undefined): void {
    const done = this.#done;
    this.#done = undefined;
    this.#pieces = [];
    this.#held = 0;
    this.#wanted = 0;
    done?.(answer);
  }
}

export interface Calls {
  /** From the time each was due, ms. */
  readonly ms: readonly number[];
  /** When each of them ended, ms since the start. */
  readonly endedAt: readonly number[];
  /** Without an answer, or with one that is no success. */
  readonly lost: number;
}

/** So many a second for so long over some connections; one that breaks is dialled anew. */
export async function openLoop(
  target: Target,
  body: string,
  { perSecond, seconds, connections }: { perSecond: number; seconds: number; connections: number },
): Promise<Calls> {
  const request = requestBytes(target, body);
  const free: Caller[] = [];
  for (let n = 0; n < connections; n += 1) free.push(new Caller(await dial(target)));
  const all = Math.round(perSecond * seconds);
  const ms: number[] = [];
  const endedAt: number[] = [];
  const waiting: number[] = [];
  let lost = 0;
  let sent = 0;
  let done = 0;
  const start = performance.now();
  await new Promise<void>(resolve => {
    const serve = (dueAt: number, caller: Caller): void => {
      void caller.ask(request).then(async answer => {
        const now = performance.now();
        ms.push(now - dueAt);
        endedAt.push(now - start);
        done += 1;
        if (answer === undefined || answer.status !== 200 || answer.body.includes('"error"')) lost += 1;
        if (done === all) resolve();
        const next = caller.closed ? new Caller(await dial(target)) : caller;
        const due = waiting.shift();
        if (due === undefined) free.push(next);
        else serve(due, next);
      });
    };
    const timer = setInterval(() => {
      for (; sent < all && start + (sent * 1000) / perSecond <= performance.now(); sent += 1) {
        const dueAt = start + (sent * 1000) / perSecond;
        const caller = free.shift();
        if (caller === undefined) waiting.push(dueAt);
        else serve(dueAt, caller);
      }
      if (sent === all) clearInterval(timer);
    }, 1);
  });
  for (const caller of free) caller.close();
  return { ms, endedAt, lost };
}

export function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
