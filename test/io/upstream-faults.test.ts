import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TransportFault } from '../../src/core/transport-fault.ts';
import { systemResolve } from '../../src/io/dial.ts';
import {
  answer,
  answering,
  ask,
  bodies,
  ca,
  identity,
  type LoopbackOptions,
  loopback,
  names,
  open,
  portOf,
  turns,
} from './loopback.ts';

/** Path, query and header values of the tests: no message may hold one. */
const secret = 'kX93secret';
const secretPath = `/${secret}/path?key=${secret}`;

function faultOf(kind: TransportFault['kind'], reached: TransportFault['reached']) {
  return {
    status: undefined,
    fault: { kind, reached, message: expect.not.stringContaining(secret) },
  };
}

/** Every fault must look the same for a read and for a broadcast. */
const ways = [
  { way: 'read', alone: false },
  { way: 'broadcast', alone: true },
] as const;

describe.each(ways)('of a $way, nothing was sent', ({ alone }) => {
  it('connection refused', async () => {
    const gone = await loopback();
    const free = await loopback();
    const port = gone.port;
    await gone.stop();
    const asked = ask(open(`http://127.0.0.1:${port}${secretPath}`), { alone });
    expect(asked.events).toEqual([]);
    expect(await asked.outcome).toMatchObject(faultOf('connect_refused', 'not_connected'));
    expect(free.connections).toHaveLength(0);
  });

  it('connection refused at every address of the name', async () => {
    const gone = await loopback();
    await gone.stop();
    const resolve = names({ 'node.test': ['127.0.0.1', '127.0.0.2'] });
    const { outcome } = ask(open(`http://node.test:${gone.port}`, {}, { resolve }), { alone });
    expect(await outcome).toMatchObject(faultOf('connect_refused', 'not_connected'));
  });

  it('no such name', async () => {
    const line = open(`https://node.test${secretPath}`, {}, { resolve: names({}) });
    const { fault } = await ask(line, { alone }).outcome;
    expect(fault).toEqual({
      kind: 'dns',
      reached: 'not_connected',
      message: 'node.test: name not resolved (ENOTFOUND)',
    });
  });

  it('a name the system itself cannot ask for', async () => {
    // Too long for a name server, so that none is asked.
    const line = open(`http://${'a'.repeat(64)}.test/`, {}, { resolve: systemResolve });
    expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('dns', 'not_connected'));
  });

  it('a name without an address', async () => {
    const line = open('https://node.test/', {}, { resolve: names({ 'node.test': [] }) });
    expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('dns', 'not_connected'));
  });

  it('a resolver that does not answer', async () => {
    const line = open('https://node.test/', {}, { resolve: () => undefined });
    const { outcome } = ask(line, { alone });
    line.clock.ring();
    expect(await outcome).toMatchObject(faultOf('connect_timeout', 'not_connected'));
    expect(line.clock.pending()).toBe(0);
  });

  it('TLS that never begins', async () => {
    const server = await loopback();
    const line = open(`https://127.0.0.1:${server.port}${secretPath}`, {}, { ca });
    const { outcome } = ask(line, { alone, text: secret });
    await server.connection(0);
    line.clock.ring();
    expect(await outcome).toMatchObject(faultOf('connect_timeout', 'not_connected'));
    await server.connections[0]!.closed;
    expect(server.all()).not.toContain(secret);
  });

  it('TLS: closed in the middle of the handshake', async () => {
    const server = await loopback({ onText: ({ socket }) => socket.end() });
    const line = open(`https://127.0.0.1:${server.port}${secretPath}`, {}, { ca });
    expect(await ask(line, { alone, text: secret }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(server.all()).not.toContain(secret);
  });

  it('TLS: reset in the middle of the handshake', async () => {
    const server = await loopback({ onText: ({ socket }) => socket.resetAndDestroy() });
    const line = open(`https://127.0.0.1:${server.port}${secretPath}`, {}, { ca });
    expect(await ask(line, { alone, text: secret }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(server.all()).not.toContain(secret);
  });

  it('TLS: the server speaks plain HTTP', async () => {
    const server = await loopback({ onText: ({ socket }) => socket.write(answer('ok')) });
    const line = open(`https://127.0.0.1:${server.port}${secretPath}`, {}, { ca });
    expect(await ask(line, { alone, text: secret }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(server.all()).not.toContain(secret);
  });

  it('TLS: a certificate nobody vouches for', async () => {
    const server = await loopback({ tls: identity, ...answering() });
    const line = open(`https://127.0.0.1:${server.port}${secretPath}`);
    expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(server.all()).toBe('');
  });

  it('TLS: a certificate nobody vouches for, although the environment says to take any', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    const server = await loopback({ tls: identity, ...answering() });
    const line = open(`https://127.0.0.1:${server.port}`);
    expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(server.all()).toBe('');
  });

  it('TLS: a certificate of another name', async () => {
    const server = await loopback({ tls: identity, ...answering() });
    const resolve = names({ 'other.test': ['127.0.0.1'] });
    const line = open(`https://other.test:${server.port}${secretPath}`, {}, { resolve, ca });
    expect((await ask(line, { alone }).outcome).fault).toEqual({
      kind: 'tls',
      reached: 'not_connected',
      message: `other.test:${server.port}: TLS failed (ERR_TLS_CERT_ALTNAME_INVALID)`,
    });
    expect(server.all()).toBe('');
  });

  // A session that is taken up again skips the look at the name, so none may be kept from a server that failed it.
  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'TLS: a certificate of another name, at every try (%s)',
    async version => {
      const server = await loopback({
        tls: { ...identity, maxVersion: version, minVersion: version },
        ...answering(),
      });
      const resolve = names({ 'other.test': ['127.0.0.1'] });
      const line = open(`https://other.test:${server.port}`, {}, { resolve, ca });
      for (let i = 0; i < 3; i++) {
        expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
      }
      expect(server.all()).toBe('');
    },
  );

  it('TLS: the server speaks HTTP/2 only', async () => {
    const server = createSecureServer({ ...identity, allowHTTP1: false });
    let streams = 0;
    server.on('stream', () => {
      streams += 1;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const line = open(`https://127.0.0.1:${portOf(server)}`, {}, { ca });
    expect(await ask(line, { alone }).outcome).toMatchObject(faultOf('tls', 'not_connected'));
    expect(streams).toBe(0);
  });

  it('a request that HTTP cannot carry', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    const asked = ask(line, { alone, path: '/a b' });
    expect(asked.events).toEqual([]);
    expect(await asked.outcome).toMatchObject(faultOf('protocol', 'not_connected'));
    const header = open(`http://127.0.0.1:${server.port}`, { headers: { 'x-key': `${secret}\r\nx: y` } });
    expect(await ask(header, { alone }).outcome).toMatchObject(faultOf('protocol', 'not_connected'));
    await turns();
    expect(server.all()).toBe('');
  });
});

describe.each(ways)('of a $way, it was handed over and never answered', ({ alone }) => {
  const cases: Readonly<Record<string, LoopbackOptions>> = {
    'closed without an answer': { onText: ({ socket }) => socket.end() },
    'reset without an answer': { onText: ({ socket }) => socket.resetAndDestroy() },
    'closed in the middle of the status line': { onText: ({ socket }) => socket.end('HTTP/1.1 2') },
    'closed in the middle of the headers': {
      onText: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
    },
    'closed after an informational answer': {
      onText: ({ socket }) => socket.end('HTTP/1.1 103 Hints\r\n\r\n'),
    },
  };
  it.each(Object.entries(cases))('%s', async (_, options) => {
    const server = await loopback(options);
    const { outcome } = ask(open(`http://127.0.0.1:${server.port}${secretPath}`), { alone });
    expect(await outcome).toMatchObject(faultOf('reset', 'handed_over'));
    await turns();
    expect(bodies(server.all())).toHaveLength(1);
    expect(server.connections).toHaveLength(1);
  });

  it('reset after half of the body', async () => {
    const text = 'x'.repeat(32 * 1024 * 1024);
    const server = await loopback({
      onText({ socket, text: heard }) {
        if (heard.length > 1024 * 1024) socket.resetAndDestroy();
      },
    });
    const { outcome } = ask(open(`http://127.0.0.1:${server.port}`), { alone, text });
    expect(await outcome).toMatchObject(faultOf('reset', 'handed_over'));
    await turns();
    expect(server.connections).toHaveLength(1);
    expect(server.all().length).toBeLessThan(text.length);
  });

  it('over TLS, closed before the headers', async () => {
    const server = await loopback({ tls: identity, onText: ({ socket }) => socket.destroy() });
    const line = open(`https://127.0.0.1:${server.port}`, {}, { ca });
    expect((await ask(line, { alone, text: 'once' }).outcome).fault).toMatchObject({
      reached: 'handed_over',
    });
    await turns();
    expect(bodies(server.all())).toEqual(['once']);
  });

  const garbage: Readonly<Record<string, string>> = {
    'no HTTP at all': 'SSH-2.0-OpenSSH_9.6\r\n',
    'an HTML page without a head': '<html><body>hello</body></html>',
    'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    'a length and chunks':
      'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    'a length that is no number': 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
    'a header without a name': 'HTTP/1.1 200 OK\r\n: x\r\n\r\n',
    'switching to another protocol': 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    'going on with a request that is whole': `HTTP/1.1 100 Continue\r\n\r\n${answer('ok')}`,
    'headers over the limit': `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
    'one header over the limit': `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  };
  it.each(Object.entries(garbage))('%s', async (_, text) => {
    const server = await loopback({ onText: ({ socket }) => socket.write(text) });
    const { outcome } = ask(open(`http://127.0.0.1:${server.port}${secretPath}`), { alone });
    expect(await outcome).toMatchObject(faultOf('protocol', 'handed_over'));
    await server.connections[0]!.closed;
    await turns();
    expect(bodies(server.all())).toHaveLength(1);
    expect(server.connections).toHaveLength(1);
  });

  it('headers without end', async () => {
    const server = await loopback({
      onText({ socket }) {
        const more = () => {
          while (!socket.destroyed && socket.write(`x-${'y'.repeat(100)}: z\r\n`)) {
            // Until the socket is full.
          }
        };
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('drain', more);
        more();
      },
    });
    const { outcome } = ask(open(`http://127.0.0.1:${server.port}`), { alone });
    expect(await outcome).toMatchObject(faultOf('protocol', 'handed_over'));
    await server.connections[0]!.closed;
  });
});

describe.each(ways)('of a $way, the answer began and broke', ({ alone }) => {
  const cases: Readonly<Record<string, readonly [kind: TransportFault['kind'], text: string, reset?: true]>> =
    {
      'shorter than its length': ['protocol', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
      'shorter than its length on a connection that ends': [
        'protocol',
        'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf',
      ],
      'chunks without the last one': [
        'protocol',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n',
      ],
      'a chunk cut in the middle': [
        'protocol',
        'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf',
      ],
      'a chunk length that is none': [
        'protocol',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n',
      ],
      'reset in the middle': ['reset', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', true],
      'trailers without end': [
        'protocol',
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n0\r\n${'x: y\r\n'.repeat(20_000)}\r\n`,
      ],
    };
  it.each(Object.entries(cases))('%s', async (_, [kind, text, reset]) => {
    const server = await loopback({
      onText({ socket }) {
        if (reset) socket.write(text);
        else socket.end(text);
      },
    });
    const asked = ask(open(`http://127.0.0.1:${server.port}${secretPath}`), {
      alone,
      onData() {
        if (reset) server.connections[0]!.socket.resetAndDestroy();
        return true;
      },
    });
    expect(await asked.outcome).toMatchObject({
      status: 200,
      body: 'half',
      fault: { kind, reached: 'answered', message: expect.not.stringContaining(secret) },
    });
    expect(asked.events).toEqual(['head 200', 'data', `fault ${kind}`]);
    await turns();
    expect(bodies(server.all())).toHaveLength(1);
    expect(server.connections).toHaveLength(1);
  });
});

describe('a kept connection', () => {
  it('that closes at the second request gets it once, and the read ends', async () => {
    const server = await loopback({
      onText({ socket, text }) {
        if (bodies(text).length === 1) socket.write(answer('ok'));
        else socket.resetAndDestroy();
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    expect(await ask(line, { text: 'first' }).outcome).toMatchObject({ body: 'ok' });
    expect(await ask(line, { text: 'second' }).outcome).toMatchObject(faultOf('reset', 'handed_over'));
    await turns();
    expect(bodies(server.all())).toEqual(['first', 'second']);
    expect(await ask(line, { text: 'third' }).outcome).toMatchObject({ body: 'ok' });
    expect(server.connections).toHaveLength(2);
  });

  it('that is reset in the last moment was handed nothing', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    await ask(line, { text: 'first' }).outcome;
    // From a timer the loop looks at its sockets before the client writes.
    await new Promise(resolve => setTimeout(resolve, 0));
    server.connections[0]!.socket.resetAndDestroy();
    const { fault } = await ask(line, { text: 'second' }).outcome;
    expect(fault).toMatchObject({ kind: 'reset', reached: 'nothing_handed_over' });
    expect(bodies(server.all())).toEqual(['first']);
  });

  it('that ended while it waited is not used again', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    await ask(line, { text: 'first' }).outcome;
    const { socket, closed } = server.connections[0]!;
    socket.end();
    await closed;
    expect(await ask(line, { text: 'second' }).outcome).toMatchObject({ body: 'ok second' });
    expect(server.connections).toHaveLength(2);
  });

  it('with an answer that nothing asked for is not used again', async () => {
    const server = await loopback({
      onText({ socket, text }, n) {
        socket.write(n === 0 ? `${answer('ok')}${answer('forged')}` : answer(`ok ${bodies(text)[0]}`));
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    expect(await ask(line, { text: 'first' }).outcome).toMatchObject({ body: 'ok' });
    expect(await ask(line, { text: 'second' }).outcome).toMatchObject({ body: 'ok second' });
    expect(server.connections).toHaveLength(2);
  });
});
