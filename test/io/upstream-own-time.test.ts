import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answer, ask, bodies, ca, identity, loopback, open, turns } from './loopback.ts';

/**
 * The HTTP client has time limits of its own; they tick in half seconds, begin at the first byte and end an exchange on
 * their own account. Whoever sends has a clock, and it is the only one: over HTTP and TLS, before the head and after it.
 */

const ways = [
  { way: 'read', alone: false, scheme: 'http' },
  { way: 'broadcast', alone: true, scheme: 'http' },
  { way: 'broadcast', alone: true, scheme: 'https' },
] as const;

// Once for all: the client keeps one ticking timer for all of its limits.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
});
afterAll(() => {
  vi.useRealTimers();
});

describe.each(ways)('of a $way over $scheme, the HTTP client keeps no time', ({ alone, scheme }) => {
  const hour = 3_600_000;

  it.each([
    ['before the head', ''],
    ['within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no'],
  ])('%s', async (_, begun) => {
    const server = await loopback(scheme === 'https' ? { tls: identity } : {});
    const line = open(`${scheme}://127.0.0.1:${server.port}`, {}, { ca });
    const asked = ask(line, { alone, text: 'once' });
    await server.connection(0);
    await server.heard(0, 'once');
    if (begun !== '') {
      server.connections[0]!.socket.write(begun);
      await asked.head;
    }
    // In steps, for such a limit sets itself anew when it is looked at.
    for (let n = 0; n < 20; n += 1) {
      vi.advanceTimersByTime(hour / 20);
      await turns();
    }
    expect(asked.events.filter(event => event.startsWith('fault'))).toEqual([]);
    server.connections[0]!.socket.write(begun === '' ? answer('ok') : 'k');
    expect(await asked.outcome).toMatchObject({ status: 200, body: 'ok' });
    expect(bodies(server.all())).toEqual(['once']);
  });
});
