import { connect, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { limitConnections } from '../../src/daemon/connections.ts';
import { createIngress, type IngressHandlers } from '../../src/daemon/ingress.ts';
import { Budget } from '../../src/gateway/budget.ts';
import type { Sink } from '../../src/gateway/ports.ts';
import { clock } from '../../src/io/clock.ts';
import { until } from '../kit/gateway.ts';

/** The data listener with short limits of time, and handlers that do what a test says. */

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const bodyBytes = 1024 * 1024;

async function listener(
  request: (sink: Sink, body: Uint8Array) => void,
  more: {
    readonly headMs?: number;
    readonly requestMs?: number;
    readonly stallMs?: number;
    readonly most?: number;
    readonly memory?: number;
  } = {},
) {
  const {
    headMs = 60_000,
    requestMs = 60_000,
    stallMs = 60_000,
    most = 100,
    memory = 256 * bodyBytes,
  } = more;
  const budget = new Budget(memory);
  const full: boolean[] = [];
  const handlers: IngressHandlers = {
    chainAt: path => (path === '/local' ? 'local' : undefined),
    request: ({ body }, sink) => request(sink, body),
    refuse: (_chain, reason, _message, _id, sink) => {
      sink.head(reason === 'overloaded' ? 503 : 400, []);
      sink.end(Buffer.from(reason));
    },
    page: () => undefined,
    admit: () => 'anyone',
    pace: () => 0,
    owe: () => undefined,
    closing: () => false,
  };
  const ingress = createIngress(handlers, { bodyBytes, headMs, requestMs, stallMs }, budget);
  limitConnections(ingress.server, { clock, most, onFull: now => full.push(now) });
  await new Promise<void>(resolve => ingress.server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () =>
      new Promise(resolve => {
        ingress.server.close(resolve);
        ingress.server.closeAllConnections();
      }),
  );
  const address = ingress.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, budget, ingress, full };
}

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

interface Client {
  readonly socket: Socket;
  /** All that came back, once the other side has closed. */
  readonly closed: Promise<string>;
}

function client(port: number): Client {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', chunk => (text += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  ends.push(async () => socket.destroy());
  return { socket, closed: new Promise(resolve => socket.once('close', () => resolve(text))) };
}

/** One piece after the other for as long as the other side is there, however slowly. */
function drip(socket: Socket, pieces: Iterable<string>): void {
  const all = pieces[Symbol.iterator]();
  const timer = setInterval(() => {
    const next = all.next();
    if (next.done || socket.destroyed) clearInterval(timer);
    else socket.write(next.value);
  }, 20);
  socket.once('close', () => clearInterval(timer));
}

function* endless(piece: (n: number) => string): Generator<string> {
  for (let n = 0; ; n += 1) yield piece(n);
}

const answers = (sink: Sink): void => {
  sink.head(200, []);
  sink.end(Buffer.from('done'));
};
const head = (bytes: number): string => `POST /local HTTP/1.1\r\nhost: a\r\ncontent-length: ${bytes}\r\n\r\n`;

describe('a client that takes its time', () => {
  it.each([
    ['says nothing', []],
    ['sends half a request line', ['POST /lo']],
    ['sends half a head', ['POST /local HTTP/1.1\r\nhost: a\r\n']],
  ])('and %s is let go', async (_name, texts) => {
    const { port, ingress } = await listener(answers, { headMs: 100 });
    const { socket, closed } = client(port);
    for (const text of texts) socket.write(text);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 |^$/);
    expect(ingress.open).toBe(0);
  });

  it('with one header after the other, for ever, is let go', async () => {
    const { port } = await listener(answers, { headMs: 200 });
    const { socket, closed } = client(port);
    socket.write('POST /local HTTP/1.1\r\nhost: a\r\n');
    drip(
      socket,
      endless(n => `x${n}: a\r\n`),
    );
    expect(await closed).toMatch(/^HTTP\/1\.1 408 |^$/);
  });

  it('with one byte of its body after the other is let go, and what it held is free', async () => {
    const { port, budget } = await listener(answers, { headMs: 100, requestMs: 300 });
    const { socket, closed } = client(port);
    socket.write(head(100_000));
    drip(
      socket,
      endless(() => 'a'),
    );
    await until(async () => budget.heldBytes > 0);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 |^$/);
    await until(async () => budget.heldBytes === 0);
  });

  it('with one chunk after the other, for ever, is let go', async () => {
    const { port, budget } = await listener(answers, { headMs: 100, requestMs: 300 });
    const { socket, closed } = client(port);
    socket.write('POST /local HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
    drip(
      socket,
      endless(() => '1\r\na\r\n'),
    );
    expect(await closed).toMatch(/^HTTP\/1\.1 408 |^$/);
    await until(async () => budget.heldBytes === 0);
  });

  it('and one that waits for an answer is not: only who takes nothing of it', async () => {
    const waiting: Sink[] = [];
    const { port } = await listener(sink => waiting.push(sink), { stallMs: 50 });
    const { socket, closed } = client(port);
    socket.write(`${head(2)}{}`);
    await until(async () => waiting.length > 0);
    // Longer than the limit, several times over.
    await new Promise(resolve => setTimeout(resolve, 300));
    for (const sink of waiting) answers(sink);
    socket.once('data', () => socket.end());
    expect(await closed).toContain('done');
  });
});

describe('a client that does not read', () => {
  const large = Buffer.alloc(16 * 1024 * 1024, 65);

  it('a whole answer is let go, and the memory of the answer is free', async () => {
    const { port, budget, ingress } = await listener(
      sink => {
        sink.head(200, []);
        sink.end(large);
      },
      { stallMs: 200 },
    );
    const { socket } = client(port);
    socket.pause();
    socket.write(`${head(2)}{}`);
    await until(async () => budget.heldBytes >= large.length);
    await until(async () => ingress.open === 0);
    expect(budget.heldBytes).toBe(0);
  });

  it('a streamed answer is told of as gone, so that the endpoint is asked no longer', async () => {
    let gone = false;
    const { port } = await listener(
      sink => {
        sink.onGone = {
          gone: () => {
            gone = true;
          },
        };
        sink.head(200, []);
        const more = (): void => {
          while (sink.write(large.subarray(0, 64 * 1024)));
        };
        sink.onDrain = { drained: more };
        more();
      },
      { stallMs: 200 },
    );
    const { socket } = client(port);
    socket.pause();
    socket.write(`${head(2)}{}`);
    await until(async () => gone);
  });

  it('slowly, but does, gets all of it', async () => {
    const { port } = await listener(
      sink => {
        sink.head(200, []);
        sink.end(large.subarray(0, 4 * 1024 * 1024));
      },
      { stallMs: 400 },
    );
    const socket = connect(port, '127.0.0.1');
    ends.push(async () => socket.destroy());
    socket.write(`${head(2)}{}`);
    let got = 0;
    await new Promise<void>((resolve, reject) => {
      socket.on('data', chunk => {
        got += chunk.length;
        socket.pause();
        setTimeout(() => socket.resume(), 10);
        if (got > 4 * 1024 * 1024) resolve();
      });
      socket.on('close', () => reject(new Error(`cut off after ${got} bytes`)));
    });
  });
});

describe('requests in a row without waiting for answers', () => {
  it('are served as they come, up to more than any client sends', async () => {
    const waiting: Sink[] = [];
    const { port } = await listener(sink => waiting.push(sink));
    const { socket, closed } = client(port);
    socket.write(`${head(2)}{}`.repeat(100));
    await until(async () => waiting.length === 100);
    for (const sink of waiting) answers(sink);
    socket.end();
    expect((await closed).match(/done/g)).toHaveLength(100);
  });

  it('end the connection when they do not end, and with it whatever waits for them', async () => {
    let begun = 0;
    let gone = 0;
    const { port, ingress } = await listener(sink => {
      begun += 1;
      sink.onGone = {
        gone: () => {
          gone += 1;
        },
      };
    });
    const { socket, closed } = client(port);
    socket.write(`${head(2)}{}`.repeat(50_000));
    await closed;
    await until(async () => ingress.open === 0);
    expect(begun).toBeLessThanOrEqual(128);
    expect(gone).toBe(begun);
  });
});

describe('connections beyond the limit', () => {
  it('get 503 with a Retry-After that no library reads as milliseconds, and are closed; the others go on', async () => {
    const { port, full } = await listener(answers, { most: 3 });
    const kept = [client(port), client(port), client(port)];
    await Promise.all(kept.map(({ socket }) => new Promise(resolve => socket.once('connect', resolve))));
    for (const { socket } of kept) {
      socket.write(`${head(2)}{}`);
      await new Promise(resolve => socket.once('data', resolve));
    }
    const over = client(port);
    over.socket.write(`${head(2)}{}`);
    const answer = await over.closed;
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 01\r\n/);
    expect(answer).toContain('"reason":"overloaded"');
    expect(full).toEqual([true]);

    const [first] = kept;
    first?.socket.write(`${head(2)}{}`);
    await new Promise(resolve => first?.socket.once('data', resolve));
    first?.socket.destroy();
    await until(async () => full.length === 2);
    expect(full).toEqual([true, false]);
    const next = client(port);
    next.socket.write(`${head(2)}{}`);
    await new Promise(resolve => next.socket.once('data', resolve));
  });

  it('a thousand of them, of which none reads or leaves, are gone again', async () => {
    const { port, ingress } = await listener(answers, { most: 1 });
    const kept = client(port);
    kept.socket.write(`${head(2)}{}`);
    await new Promise(resolve => kept.socket.once('data', resolve));
    const flood = Array.from({ length: 1000 }, () => {
      const { socket, closed } = client(port);
      socket.pause();
      socket.write('x'.repeat(1000));
      return { socket, closed };
    });
    await until(async () => (await connectionsOf(ingress.server)) === 1);
    for (const { socket } of flood) socket.destroy();
  });
});

describe('a body', () => {
  it('in a million crumbs costs the budget what its bytes cost', async () => {
    let got = 0;
    const { port, budget } = await listener((sink, body) => {
      got = body.length;
      expect(budget.heldBytes).toBeLessThan(3 * body.length);
      answers(sink);
    });
    const { socket, closed } = client(port);
    const crumbs = '1\r\na\r\n'.repeat(10_000);
    socket.write(
      'POST /local HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
    );
    for (let n = 0; n < 20; n += 1) socket.write(crumbs);
    socket.write('0\r\n\r\n');
    expect(await closed).toContain('done');
    expect(got).toBe(200_000);
    await until(async () => budget.heldBytes === 0);
  });

  it('longer than allowed is refused where it says so, and where it does not', async () => {
    const { port, budget } = await listener(answers);
    const said = client(port);
    said.socket.write(head(bodyBytes + 1));
    expect(await said.closed).toContain('too_large');
    const unsaid = client(port);
    unsaid.socket.write('POST /local HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
    unsaid.socket.write(`${(bodyBytes + 1).toString(16)}\r\n${'a'.repeat(bodyBytes + 1)}\r\n`);
    expect(await unsaid.closed).toContain('too_large');
    expect(budget.heldBytes).toBe(0);
  });

  it('that never comes holds nothing, however long it says it is', async () => {
    const { port, budget, ingress } = await listener(answers);
    const all = Array.from({ length: 50 }, () => client(port));
    for (const { socket } of all) socket.write(head(bodyBytes));
    await until(async () => (await connectionsOf(ingress.server)) === 50);
    expect(budget.heldBytes).toBe(0);
    for (const { socket } of all) socket.destroy();
  });

  it('beyond what all may hold together gets 503, and the room comes back', async () => {
    const { port, budget } = await listener(answers, { memory: 4 * bodyBytes });
    const part = bodyBytes - 64 * 1024;
    const holders = Array.from({ length: 4 }, () => client(port));
    for (const { socket } of holders) socket.write(head(bodyBytes) + 'a'.repeat(part));
    await until(async () => budget.heldBytes >= 4 * part);
    const over = client(port);
    over.socket.write(head(bodyBytes) + 'a'.repeat(bodyBytes));
    expect(await over.closed).toMatch(/^HTTP\/1\.1 503 /);
    for (const { socket } of holders) socket.destroy();
    await until(async () => budget.heldBytes === 0);
  });
});
