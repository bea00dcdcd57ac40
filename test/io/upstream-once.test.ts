import { once } from 'node:events';
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UpstreamExchange } from '../../src/io/exchange.ts';
import { answer, answering, ask, bodies, ca, identity, loopback, open, portOf, turns } from './loopback.ts';

const ways = [
  { way: 'read', alone: false },
  { way: 'broadcast', alone: true },
] as const;

describe.each(ways)('a $way that is given up', ({ alone }) => {
  it('in the turn in which it was sent never leaves', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    const given = Array.from({ length: 20 }, () => ask(line, { alone, text: 'given up' }));
    for (const exchange of given) exchange.abort();
    expect(await ask(line, { alone, text: 'later' }).outcome).toMatchObject({ body: 'ok later' });
    await turns();
    expect(bodies(server.all())).toEqual(['later']);
    expect(given.flatMap(({ events }) => events)).toEqual([]);
    expect(line.clock.pending()).toBe(0);
  });

  it('in the turn in which it was sent over a connection that stands never leaves', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    await ask(line, { text: 'first' }).outcome;
    const given = ask(line, { alone, text: 'given up' });
    given.abort();
    expect(await ask(line, { alone, text: 'later' }).outcome).toMatchObject({ body: 'ok later' });
    await turns();
    expect(bodies(server.all())).toEqual(['first', 'later']);
    expect(given.events).toEqual([]);
  });

  it.each(['http', 'https'])('during a slow answer of the resolver never leaves (%s)', async scheme => {
    const server = await loopback({ ...(scheme === 'https' ? { tls: identity } : {}), ...answering() });
    const questions: (() => void)[] = [];
    const line = open(
      `${scheme}://node.test:${server.port}`,
      {},
      {
        ca,
        resolve: (_, done) => questions.push(() => done(null, [{ address: '127.0.0.1', family: 4 }])),
      },
    );
    const given = ask(line, { alone, text: 'given up' });
    const other = ask(line, { alone, text: 'not given up' });
    await turns();
    given.abort();
    await turns();
    for (const reply of questions) reply();
    expect(await other.outcome).toMatchObject({ body: 'ok not given up' });
    await turns();
    expect(server.connections).toHaveLength(1);
    expect(bodies(server.all())).toEqual(['not given up']);
    expect(given.events).toEqual([]);
    expect(line.clock.pending()).toBe(0);
  });

  it('is known to have begun once it was handed to a socket, and not before', async () => {
    const server = await loopback();
    const questions: (() => void)[] = [];
    const line = open(
      `http://node.test:${server.port}`,
      {},
      { resolve: (_, done) => questions.push(() => done(null, [{ address: '127.0.0.1', family: 4 }])) },
    );
    const asked = ask(line, { alone, text: 'sent' });
    await turns();
    expect(asked.begun).toBe(false);
    for (const reply of questions) reply();
    await server.connection(0);
    await server.heard(0, 'sent');
    expect(asked.begun).toBe(true);
    asked.abort();
    const given = ask(line, { alone, text: 'given up' });
    given.abort();
    for (const reply of questions) reply();
    await turns();
    expect(given.begun).toBe(false);
    expect(bodies(server.all())).toEqual(['sent']);
  });

  it('during the TLS handshake never leaves', async () => {
    const node = await loopback({ tls: identity, ...answering() });
    // Holds back what the node says until the test lets go of it.
    const release = Promise.withResolvers<void>();
    const between = await loopback({
      onConnection({ socket }) {
        const onward = connect(node.port, '127.0.0.1');
        onward.on('error', () => socket.destroy());
        socket.pipe(onward);
        void release.promise.then(() => onward.pipe(socket));
        socket.on('close', () => onward.destroy());
      },
    });
    const line = open(`https://127.0.0.1:${between.port}`, {}, { ca });
    const given = ask(line, { alone, text: 'given up' });
    await between.heard(0, '\x16\x03');
    given.abort();
    await between.connections[0]!.closed;
    release.resolve();
    expect(await ask(line, { alone, text: 'later' }).outcome).toMatchObject({ body: 'ok later' });
    expect(bodies(node.all())).toEqual(['later']);
    expect(given.events).toEqual([]);
    expect(line.clock.pending()).toBe(0);
  });

  it('and then out of time is told neither', async () => {
    const server = await loopback();
    const line = open(`https://127.0.0.1:${server.port}`, {}, { ca });
    const given = ask(line, { alone });
    await server.connection(0);
    given.abort();
    line.clock.ring();
    await server.connections[0]!.closed;
    await turns();
    expect(given.events).toEqual([]);
  });
});

// The second line of defence: the client goes on with a request that nobody could take back from it.
it('an exchange that was given up aborts itself before its first byte', async () => {
  const server = await loopback(answering());
  const resolved = Promise.withResolvers<void>();
  const client = new Client(`http://node.test:${server.port}`, {
    connect: {
      lookup: (_, __, answered) =>
        void resolved.promise.then(() => answered(null, [{ address: '127.0.0.1', family: 4 }])),
    },
  });
  onTestFinished(() => client.destroy());
  const events: string[] = [];
  const exchange = new UpstreamExchange(
    {
      head: () => events.push('head'),
      data: () => true,
      end: () => events.push('end'),
      fault: () => events.push('fault'),
    },
    'node.test',
    { release: () => undefined, drop: () => undefined },
    () => undefined,
  );
  client.dispatch({ method: 'POST', path: '/', body: 'given up' }, exchange);
  exchange.abort();
  resolved.resolve();
  await (await server.connection(0)).closed;
  await turns();
  expect(server.all()).toBe('');
  expect(events).toEqual([]);
});

describe('a broadcast', () => {
  it('goes over a connection of its own that ends with the answer', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    await ask(line, { text: 'read' }).outcome;
    for (const text of ['one', 'two']) {
      expect(await ask(line, { text, alone: true }).outcome).toMatchObject({ body: `ok ${text}` });
    }
    await Promise.all([1, 2].map(n => server.connections[n]!.closed));
    await ask(line, { text: 'read again' }).outcome;
    expect(server.connections.map(({ text }) => bodies(text))).toEqual([
      ['read', 'read again'],
      ['one'],
      ['two'],
    ]);
    for (const n of [1, 2]) expect(server.connections[n]!.text).toContain('\r\nconnection: close\r\n');
  });

  it('is not swallowed by a kept connection that has died', async () => {
    // What a balancer does that has forgotten the connection: it takes the bytes and answers with a reset.
    const server = await loopback({
      onText({ socket, text }) {
        if (bodies(text).length === 1) socket.write(answer('ok'));
        else socket.resetAndDestroy();
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    for (let i = 0; i < 5; i++) {
      await ask(line, { text: 'read' }).outcome;
      expect(await ask(line, { text: 'broadcast', alone: true }).outcome).toMatchObject({
        status: 200,
        body: 'ok',
      });
    }
    expect(bodies(server.all()).filter(body => body === 'broadcast')).toHaveLength(5);
  });

  it('that dies on the way is not sent again, whatever follows on the line', async () => {
    const server = await loopback({
      onText({ socket, text }) {
        if (text.includes('broadcast')) socket.resetAndDestroy();
        else socket.write(answer('ok'));
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    expect((await ask(line, { text: 'broadcast', alone: true }).outcome).fault).toMatchObject({
      kind: 'reset',
      reached: 'handed_over',
    });
    for (let i = 0; i < 5; i++) expect((await ask(line, { text: 'read' }).outcome).body).toBe('ok');
    await turns();
    expect(bodies(server.all()).filter(body => body === 'broadcast')).toHaveLength(1);
  });
});

describe('HTTP/2', () => {
  it('is not spoken to a server that offers it', async () => {
    const server = createSecureServer({ ...identity, allowHTTP1: true });
    const versions: string[] = [];
    server.on('request', (request, response) => {
      versions.push(request.httpVersion);
      response.end('ok');
    });
    await listening(server);
    const line = open(`https://127.0.0.1:${portOf(server)}`, {}, { ca });
    for (const alone of [false, true]) {
      expect(await ask(line, { alone }).outcome).toMatchObject({ status: 200, body: 'ok' });
    }
    expect(versions).toEqual(['1.1', '1.1']);
  });

  // Should the client ever speak it all the same, a refused stream must not make it send again.
  it('a refused stream is sent again by the client alone, and not by an exchange', async () => {
    const server = createSecureServer(identity);
    const heard: string[] = [];
    server.on('stream', (stream: ServerHttp2Stream) => {
      let body = '';
      stream.setEncoding('latin1');
      stream.on('error', () => {
        // The client may reset what was just refused.
      });
      stream.on('data', chunk => {
        body += chunk;
      });
      stream.on('end', () => {
        heard.push(body);
        if (heard.length === 1) {
          stream.close(constants.NGHTTP2_REFUSED_STREAM);
        } else {
          stream.respond({ ':status': 200 });
          stream.end('ok');
        }
      });
    });
    await listening(server);
    const origin = `https://127.0.0.1:${portOf(server)}`;
    const send = (handler: Dispatcher.DispatchHandler) => {
      const client = new Client(origin, { allowH2: true, connect: { ca } });
      onTestFinished(() => client.destroy());
      client.dispatch({ method: 'POST', path: '/', body: 'the transaction' }, handler);
    };

    const alone = Promise.withResolvers<void>();
    send({
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => alone.resolve(),
      onResponseError: (_, error) => alone.reject(error),
    });
    await alone.promise;
    expect(heard).toEqual(['the transaction', 'the transaction']);

    heard.length = 0;
    const ended = Promise.withResolvers<unknown>();
    send(
      new UpstreamExchange(
        {
          head: () => ended.resolve('head'),
          data: () => true,
          end: () => ended.resolve('end'),
          fault: fault => ended.resolve(fault),
        },
        'node.test',
        { release: () => undefined, drop: () => undefined },
        () => undefined,
      ),
    );
    expect(await ended.promise).toMatchObject({ reached: 'handed_over' });
    await turns();
    expect(heard).toEqual(['the transaction']);
  });
});

async function listening(server: ReturnType<typeof createSecureServer>): Promise<void> {
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', session => sessions.add(session));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
}
