/**
 * A scripted endpoint on a raw socket. It counts every byte of the transaction's body that reaches it, tells when the first
 * one comes, and plays its part when it is told to. Whatever else it is asked it answers like a healthy node.
 */

import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { FamilyName } from '../../src/core/chain.ts';
import type { Act, Door } from './cells.ts';
import type { Network } from './network.ts';

/** One request with the transaction that reached this upstream, be it in part. */
export interface Reach {
  readonly upstream: string;
  readonly act: Act;
  /** Counted from 0: how often the gateway had been started anew. */
  readonly life: number;
  /** Of the body; at least 1. */
  bytes: number;
  readonly length: number;
  /** From the first byte until it acted, ms; undefined: it never had what it waits for. */
  readMs: number | undefined;
  /** The status it was answered with, once it was. */
  status: number | undefined;
  /** Whether the record had a row for it when the first byte came; undefined: nobody looked. */
  rowThere: boolean | undefined;
}

export interface Hooks {
  /** The first byte of a transaction is in; nothing more is read until this resolves. */
  first(reach: Reach): Promise<void>;
  /** All is in that it waits for; it acts when this resolves. */
  acting(reach: Reach): Promise<void>;
  /** What it does is done, as far as it does anything. */
  acted(reach: Reach): void;
}

export interface ScriptedOptions {
  readonly name: string;
  readonly network: Network;
  readonly act: Act;
  /** Which of several statuses, 0 ≤ n < 1. */
  readonly draw: number;
  readonly hooks: Hooks;
  /** The answers of this upstream go out no earlier than this after the transaction, ms; for `late`. */
  readonly lateMs: number;
}

export interface Scripted {
  readonly name: string;
  readonly url: string;
  readonly port: number;
  /** Its fault is that no connection comes about. */
  readonly door: Door | undefined;
  /** The name that its URL has, when it is no address. */
  readonly hostname: string | undefined;
  readonly reached: readonly Reach[];
  /** Questions for the transaction, by life. */
  readonly lookUps: readonly number[];
  /** The transaction is in a block, if anybody asks. */
  landed: boolean;
  life: number;
  /** What it does with a transaction from now on. */
  play(act: Act): void;
  /** Connections from now on fare as the door says; undefined: all is well. A wall is built by whoever asks for it. */
  close(door: 'shut' | 'bad_tls' | 'silent_tls'): void;
  open(): Promise<void>;
  end(): void;
}

const tls = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url));
const secure = { cert: tls('server.pem'), key: tls('server.key') };
/** What a client of the built program has to trust. */
export const caFile = new URL('../../fixtures/tls/ca.pem', import.meta.url);

export async function scripted(options: ScriptedOptions): Promise<Scripted> {
  const { name, network, draw, hooks, lateMs } = options;
  const { family } = network;
  const door = options.act.at === 'door' ? options.act.door : undefined;
  const hasTls = door === 'bad_tls';
  const reached: Reach[] = [];
  const lookUps: number[] = [];
  const sockets = new Set<Socket>();
  let act: Act = options.act;
  let handshake: 'good' | 'bad' | 'silent' = 'good';
  let life = 0;

  const tlsServer = hasTls ? createTlsServer(secure, socket => void converse(socket)) : undefined;
  // A client that does not like the certificate goes away; nothing depends on it here.
  tlsServer?.on('tlsClientError', (_, socket) => socket.destroy());

  function take(socket: Socket): void {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A gateway that is killed resets its connections.
    socket.on('error', () => undefined);
    if (tlsServer === undefined) void converse(socket);
    else if (handshake === 'good') tlsServer.emit('connection', socket);
    else if (handshake === 'bad') socket.once('data', () => socket.end('this is no TLS\n'));
  }

  /** The requests of one connection, one after the other. */
  async function converse(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false });
    let rest: Buffer = Buffer.alloc(0);
    const more = async (): Promise<boolean> => {
      const next = await chunks.next().catch(() => ({ done: true, value: undefined }) as const);
      if (next.done === true) return false;
      rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
      return true;
    };
    for (;;) {
      let end = rest.indexOf('\r\n\r\n');
      while (end < 0) {
        if (!(await more())) return;
        end = rest.indexOf('\r\n\r\n');
      }
      const head = rest.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      const target = head.split(' ', 2)[1] ?? '';
      rest = rest.subarray(end + 4);
      if (network.isTransaction(head, length)) {
        await transaction(socket, target, length, () => rest, more);
        // Who keeps the connection may send the next one on it, be it the same again.
        while (rest.length < length) if (!(await more())) return;
        rest = rest.subarray(length);
        continue;
      }
      while (rest.length < length) if (!(await more())) return;
      const body = rest.toString('latin1', 0, length);
      rest = rest.subarray(length);
      if (network.carries(target, body)) {
        // In no form the bench knows of: it counts all the same.
        const act: Act = { at: 'whole', does: 'takes' };
        const reach = {
          upstream: name,
          act,
          life,
          bytes: length,
          length,
          readMs: 0,
          status: 200,
          rowThere: undefined,
        };
        reached.push(reach);
      }
      if (network.asksFor(body) || network.asksFor(target)) lookUps.push(life);
      const reply = network.answer(target, body, scriptedUpstream.landed);
      socket.write(httpText(reply.status, reply.body));
    }
  }

  async function transaction(
    socket: Socket,
    target: string,
    length: number,
    got: () => Buffer,
    more: () => Promise<boolean>,
  ): Promise<void> {
    const playing = act;
    while (got().length === 0) if (!(await more())) return;
    const reach: Reach = {
      upstream: name,
      act: playing,
      life,
      bytes: got().length,
      length,
      readMs: undefined,
      status: undefined,
      rowThere: undefined,
    };
    reached.push(reach);
    const began = performance.now();
    await hooks.first(reach);
    const enough = playing.at === 'half' ? Math.floor(length / 2) : length;
    while (reach.bytes < enough) {
      const open = await more();
      reach.bytes = got().length;
      if (!open) return;
    }
    reach.readMs = performance.now() - began;
    await hooks.acting(reach);
    await perform(socket, playing, reach, target, got().toString('latin1'));
    hooks.acted(reach);
  }

  async function perform(
    socket: Socket,
    act: Act,
    reach: Reach,
    target: string,
    body: string,
  ): Promise<void> {
    if (act.at === 'half' || (act.at === 'whole' && act.does === 'reset')) {
      socket.resetAndDestroy();
      return;
    }
    if (act.at === 'door') return answer(socket, reach, 200, network.takes(target, body));
    switch (act.does) {
      case 'close':
        await new Promise<void>(resolve => socket.end(resolve));
        return;
      case 'silence':
        reach.status = 200;
        return written(
          socket,
          httpText(200, network.takes(target, body)).split('\r\n\r\n')[0] ?? '',
          '\r\n\r\n',
        );
      case 'cut': {
        const text = httpText(200, network.takes(target, body));
        reach.status = 200;
        await written(socket, text.slice(0, -20));
        await new Promise<void>(resolve => socket.end(resolve));
        return;
      }
      case 'late':
        setTimeout(() => void answer(socket, reach, 200, network.takes(target, body)), lateMs).unref();
        return;
      case 'quota':
        return answer(socket, reach, 200, quota(family, idIn(body)));
      case 'status': {
        const status = act.statuses[Math.floor(draw * act.statuses.length)] ?? 500;
        const moved = status >= 300 && status < 400 ? `location: ${scriptedUpstream.url}/moved\r\n` : '';
        return answer(socket, reach, status, page(status), moved);
      }
      case 'takes':
        return answer(socket, reach, 200, network.takes(target, body));
      case 'says':
        return answer(socket, reach, 200, act.text.replace('%id%', idIn(body) ?? 'null'));
    }
  }

  function answer(
    socket: Socket,
    reach: Reach,
    status: number,
    body: string,
    headers?: string,
  ): Promise<void> {
    reach.status = status;
    return written(socket, httpText(status, body, headers));
  }

  let server = createServer(take);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server = createServer(take);
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  const port = await onSomePort(listen);
  const hostname = door === 'no_name' ? `u${port}.invalid` : undefined;
  let listening = true;

  const scriptedUpstream: Scripted = {
    name,
    port,
    door,
    hostname,
    url: `${hasTls ? 'https' : 'http'}://${hostname ?? '127.0.0.1'}:${port}`,
    reached,
    lookUps,
    landed: false,
    get life() {
      return life;
    },
    set life(n) {
      life = n;
    },
    play(next) {
      act = next;
    },
    close(door) {
      if (door === 'bad_tls') handshake = 'bad';
      else if (door === 'silent_tls') handshake = 'silent';
      else {
        // Connections that are there stay: the probes' own.
        server.close();
        listening = false;
      }
    },
    async open() {
      handshake = 'good';
      if (listening) return;
      listening = true;
      await listen(port);
    },
    end() {
      givenOut.delete(port);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return scriptedUpstream;
}

/** Given out in this process, be their doors open or closed. */
const givenOut = new Set<number>();

/**
 * A port that the system gives to nobody for an outgoing connection: it must still be free when the door is opened again.
 */
async function onSomePort(listen: (port: number) => Promise<void>): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    if (givenOut.has(port)) continue;
    givenOut.add(port);
    const taken = await listen(port).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (taken === undefined) return port;
    givenOut.delete(port);
    if (tries === 100) throw taken;
  }
}

function written(socket: Socket, ...texts: readonly string[]): Promise<void> {
  return new Promise(resolve => socket.write(texts.join(''), 'latin1', () => resolve()));
}

/** `headers`: further lines, each with its end. */
function httpText(status: number, body: string, headers = ''): string {
  const type = body.startsWith('<') ? 'text/html' : 'application/json';
  return (
    `HTTP/1.1 ${status} Scripted\r\ncontent-type: ${type}\r\n${headers}` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

/** As JSON text. */
function idIn(body: string): string | undefined {
  return /"id": ?("[^"]*"|\d+)/.exec(body)?.[1];
}

function page(status: number): string {
  return `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>nginx</body></html>`;
}

/** An allowance that is used up, told under 200. */
function quota(family: FamilyName, id = '1'): string {
  const text = 'daily request count exceeded, request rate limited';
  switch (family) {
    case 'evm':
    case 'solana':
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32005,"message":"${text}"}}`;
    case 'xrpl':
      return `{"result":{"error":"slowDown","error_code":10,"error_message":"You are placing too much load on the server.","status":"error"},"id":${id}}`;
    case 'tron':
      return '{"Error":"Exceed the user daily usage (100000), the maximum query frequency is 1 time per second"}';
  }
}
