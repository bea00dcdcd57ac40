import { describe, expect, it, onTestFinished } from 'vitest';
import {
  answer,
  answering,
  ask,
  ca,
  type Heard,
  identity,
  loopback,
  names,
  open,
  turns,
} from './loopback.ts';

describe('what an endpoint gets', () => {
  it('content-type, accept-encoding, the configured headers, and nothing else', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}/v3/key?a=1`, {
      headers: { 'X-Api-Key': 'secret', 'Accept-Encoding': 'br', 'content-type': 'text/plain' },
    });
    const { outcome } = ask(line, { text: '{"id":1}' });
    expect(await outcome).toMatchObject({ status: 200, body: 'ok {"id":1}', fault: undefined });
    expect(server.all()).toBe(
      [
        'POST /v3/key?a=1 HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'content-type: application/json',
        'accept-encoding: identity',
        'X-Api-Key: secret',
        'content-length: 8',
        '',
        '{"id":1}',
      ].join('\r\n'),
    );
  });

  it('a GET without a body, with gzip when the client takes it', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}/key`);
    await ask(line, { verb: 'GET', path: '/wallet/getnowblock?visible=true', body: undefined, gzip: true })
      .outcome;
    expect(server.all()).toBe(
      [
        'GET /key/wallet/getnowblock?visible=true HTTP/1.1',
        `host: 127.0.0.1:${server.port}`,
        'connection: keep-alive',
        'accept-encoding: gzip',
        '',
        '',
      ].join('\r\n'),
    );
  });

  it('the bytes of the body as they are', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    const body = Uint8Array.from({ length: 256 }, (_, i) => i);
    await ask(line, { body }).outcome;
    expect(server.all().endsWith(Buffer.from(body).toString('latin1'))).toBe(true);
  });

  it('no proxy between, whatever the environment says', async () => {
    const proxy = await loopback();
    const server = await loopback(answering());
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']) {
      const before = process.env[name];
      process.env[name] = `http://127.0.0.1:${proxy.port}`;
      onTestFinished(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
    const line = open(`http://127.0.0.1:${server.port}`);
    expect(await ask(line, { text: 'a' }).outcome).toMatchObject({ body: 'ok a' });
    expect(await ask(line, { text: 'b', alone: true }).outcome).toMatchObject({ body: 'ok b' });
    expect(proxy.connections).toHaveLength(0);
  });
});

describe('an answer', () => {
  it('comes as it was sent, with the headers that are looked at, in lower case and repeated ones joined', async () => {
    const server = await loopback({
      onText: ({ socket }) =>
        socket.write(
          'HTTP/1.1 429 Slow Down\r\nRetry-After: 7\r\nX-Two: a\r\nContent-Type: a\r\nContent-Type: b\r\nContent-Encoding: gzip\r\ncontent-length: 4\r\n\r\n\x1f\x8b\x00\xff',
          'latin1',
        ),
    });
    const asked = ask(open(`http://127.0.0.1:${server.port}`));
    expect(await asked.outcome).toEqual({
      status: 429,
      headers: {
        'retry-after': '7',
        'content-type': 'a, b',
        'content-encoding': 'gzip',
        'content-length': '4',
      },
      body: '\x1f\x8b\x00\xff',
      fault: undefined,
    });
    expect(asked.events).toEqual(['head 429', 'data', 'end']);
  });

  it('is not the informational one before it', async () => {
    const server = await loopback({
      onText: ({ socket }) =>
        socket.write(
          `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n${answer('ok')}`,
        ),
    });
    const asked = ask(open(`http://127.0.0.1:${server.port}`));
    expect(await asked.outcome).toMatchObject({
      status: 200,
      headers: { 'content-length': '2' },
      body: 'ok',
    });
    expect(asked.events).toEqual(['head 200', 'data', 'end']);
  });

  it('may offer an upgrade that nobody takes', async () => {
    const server = await loopback({
      onText: ({ socket }) => socket.write(answer('ok', ['upgrade: h2c', 'connection: upgrade'])),
    });
    expect(await ask(open(`http://127.0.0.1:${server.port}`)).outcome).toMatchObject({
      status: 200,
      body: 'ok',
    });
  });

  it('a redirect is one, and is not followed', async () => {
    const elsewhere = await loopback(answering());
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await loopback({
        onText: ({ socket }) =>
          socket.write(
            `HTTP/1.1 ${status} X\r\nlocation: http://127.0.0.1:${elsewhere.port}/\r\ncontent-length: 0\r\n\r\n`,
          ),
      });
      for (const alone of [false, true]) {
        const { outcome } = ask(open(`http://127.0.0.1:${server.port}`), { alone });
        expect(await outcome).toMatchObject({ status, body: '', fault: undefined });
      }
      await turns();
    }
    expect(elsewhere.connections).toHaveLength(0);
  });
});

describe('connections', () => {
  it('are kept, one request at a time on each', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    for (const text of ['a', 'b', 'c']) expect((await ask(line, { text }).outcome).body).toBe(`ok ${text}`);
    expect(server.connections).toHaveLength(1);
  });

  it('are as many as requests at the same time: none waits behind another', async () => {
    const server = await loopback();
    const line = open(`http://127.0.0.1:${server.port}`, { maxInFlight: 1 });
    const asked = new Map(['a', 'b', 'c'].map(text => [text, ask(line, { text })]));
    await Promise.all([0, 1, 2].map(n => server.connection(n).then(() => server.heard(n, '\r\n\r\n'))));
    for (const { socket, text } of server.connections) {
      socket.write(answer('ok'));
      expect(await asked.get(text.at(-1)!)!.outcome).toMatchObject({ status: 200, body: 'ok' });
    }
    for (let i = 0; i < 5; i++) {
      const next = ask(line);
      // The last one that was used.
      await server.heard(2, '{}');
      server.connections[2]!.text = '';
      server.connections[2]!.socket.write(answer('ok'));
      await next.outcome;
    }
    expect(server.connections).toHaveLength(3);
  });

  it('a hundred at once each get their own answer', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    const texts = Array.from({ length: 100 }, (_, i) => `request ${i}`);
    const outcomes = await Promise.all(
      texts.map(text => ask(line, { text, alone: text.endsWith('7') }).outcome),
    );
    expect(outcomes.map(({ body }) => body)).toEqual(texts.map(text => `ok ${text}`));
  });

  it('use a name asked for once when a hundred start together', async () => {
    const server = await loopback(answering());
    let asked = 0;
    const system = names({ 'node.test': ['127.0.0.1'] });
    const line = open(
      `http://node.test:${server.port}`,
      {},
      {
        resolve: (hostname, done) => {
          asked += 1;
          system(hostname, done);
        },
      },
    );
    await Promise.all(Array.from({ length: 100 }, () => ask(line).outcome));
    expect(asked).toBe(1);
  });

  it.each(['http', 'https'])('try the next address of the name when the first refuses (%s)', async scheme => {
    const tls = scheme === 'https' ? { tls: identity } : {};
    const server = await loopback({ host: '127.0.0.2', ...tls, ...answering() });
    const resolve = names({ 'node.test': ['127.0.0.1', '127.0.0.2'] });
    const line = open(`${scheme}://node.test:${server.port}`, {}, { resolve, ca });
    expect(await ask(line, { text: 'a' }).outcome).toMatchObject({ body: 'ok a' });
  });

  it('over TLS verify the name and speak HTTP/1.1', async () => {
    const server = await loopback({ tls: identity, ...answering() });
    const resolve = names({ 'node.test': ['127.0.0.1'] });
    for (const host of ['node.test', '127.0.0.1']) {
      const line = open(`https://${host}:${server.port}`, {}, { resolve, ca });
      for (const alone of [false, true, true]) {
        expect(await ask(line, { text: host, alone }).outcome).toMatchObject({
          status: 200,
          body: `ok ${host}`,
        });
      }
    }
  });
});

describe('a slow or large answer', () => {
  it('stops the upstream while nobody takes it, and comes whole afterwards', async () => {
    const size = 64 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    const pump = ({ socket }: Heard) => {
      while (sent < size) {
        sent += piece.length;
        if (!socket.write(piece)) {
          socket.once('drain', () => pump(server.connections[0]!));
          return;
        }
      }
    };
    const server = await loopback({
      onText(heard, n) {
        if (n === 0) {
          heard.socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
          pump(heard);
        } else heard.socket.write(answer('ok'));
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    let open_ = false;
    const asked = ask(line, { onData: () => open_ });
    await asked.head;

    // Other requests come and go; this one stands still on both sides.
    const passTime = async () => {
      for (let i = 0; i < 20; i++) await ask(line, { alone: true }).outcome;
    };
    await passTime();
    const [taken, given] = [asked.bytes(), sent];
    await passTime();
    expect(asked.bytes()).toBe(taken);
    expect(asked.events).toEqual(['head 200', 'data']);
    expect(sent).toBe(given);
    expect(sent).toBeLessThan(size);
    expect(server.connections[0]!.socket.writableNeedDrain).toBe(true);

    open_ = true;
    asked.resume();
    const { body, fault } = await asked.outcome;
    expect(fault).toBeUndefined();
    expect(body.length).toBe(size);
  });

  it('pauses at every chunk and loses none', async () => {
    const text = Array.from({ length: 50_000 }, (_, i) => `${i},`).join('');
    const server = await loopback({ onText: ({ socket }) => socket.write(answer(text)) });
    const line = open(`http://127.0.0.1:${server.port}`);
    const asked = ask(line, {
      onData(exchange) {
        setImmediate(() => exchange.resume());
        return false;
      },
    });
    expect((await asked.outcome).body).toBe(text);
    expect((await ask(line).outcome).body).toBe(text);
    expect(server.connections).toHaveLength(1);
  });

  it('may be resumed while another answer is being read', async () => {
    const text = 'x'.repeat(200_000);
    const server = await loopback({ onText: ({ socket }) => socket.write(answer(text)) });
    const line = open(`http://127.0.0.1:${server.port}`);
    const stopped = ask(line, { onData: () => resumed });
    let resumed = false;
    await stopped.head;
    await turns();
    expect(stopped.events.at(-1)).toBe('data');
    const other = ask(line, {
      onData() {
        // The HTTP client has one parser for all connections: entered twice, it throws, and the process ends.
        resumed = true;
        stopped.resume();
        return true;
      },
    });
    expect((await other.outcome).body).toBe(text);
    expect((await stopped.outcome).body).toBe(text);
  });

  it('that was given up is resumed by nobody', async () => {
    const server = await loopback({ onText: ({ socket }) => socket.write(answer('x'.repeat(200_000))) });
    const line = open(`http://127.0.0.1:${server.port}`);
    const asked = ask(line, { onData: () => false });
    await asked.head;
    await turns();
    asked.resume();
    asked.abort();
    await turns();
    expect(asked.events.at(-1)).toBe('data');
  });

  it('that comes byte by byte does not hold up others', async () => {
    const server = await loopback({
      onText({ socket }, n) {
        if (n === 0) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
        else socket.write(answer('ok'));
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    const slow = ask(line);
    await slow.head;
    for (let i = 0; i < 100; i++) {
      expect(slow.events.at(-1)).not.toBe('end');
      expect((await ask(line).outcome).body).toBe('ok');
      server.connections[0]!.socket.write('x');
    }
    expect((await slow.outcome).body).toBe('x'.repeat(100));
  });
});

describe('giving up', () => {
  it('in the middle of an answer ends the connection, and nothing comes back', async () => {
    const server = await loopback({
      onText: ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    const asked = ask(line, {
      onData(exchange) {
        exchange.abort();
        return true;
      },
    });
    await (await server.connection(0)).closed;
    asked.resume();
    asked.abort();
    await turns();
    expect(asked.events).toEqual(['head 200', 'data']);
  });

  it('after the end does nothing', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    const asked = ask(line);
    await asked.outcome;
    asked.abort();
    asked.resume();
    await ask(line).outcome;
    expect(asked.events).toEqual(['head 200', 'data', 'end']);
    expect(server.connections).toHaveLength(1);
  });
});

describe('closing the line', () => {
  it('ends idle connections at once and busy ones with their answer', async () => {
    const server = await loopback({
      onText({ socket }, n) {
        if (n === 0) socket.write(answer('ok'));
      },
    });
    const line = open(`http://127.0.0.1:${server.port}`);
    const idle = ask(line);
    const [busy, broadcast] = [ask(line, { text: 'busy' }), ask(line, { text: 'broadcast', alone: true })];
    await idle.outcome;
    await Promise.all([1, 2].map(n => server.heard(n, '\r\n\r\n')));

    line.close();
    await server.connections[0]!.closed;
    expect(busy.events).toEqual([]);
    for (const n of [1, 2]) server.connections[n]!.socket.write(answer('late'));
    expect(await busy.outcome).toMatchObject({ status: 200, body: 'late', fault: undefined });
    expect(await broadcast.outcome).toMatchObject({ status: 200, body: 'late', fault: undefined });
    await Promise.all([1, 2].map(n => server.connections[n]!.closed));
  });

  it('leaves no way to send', async () => {
    const server = await loopback(answering());
    const line = open(`http://127.0.0.1:${server.port}`);
    line.close();
    line.close();
    for (const alone of [false, true]) {
      const asked = ask(line, { alone });
      expect(asked.events).toEqual([]);
      expect((await asked.outcome).fault).toMatchObject({ kind: 'aborted', reached: 'not_connected' });
    }
    await turns();
    expect(server.connections).toHaveLength(0);
  });
});
