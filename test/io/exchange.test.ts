import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { answer, loopback } from './loopback.ts';

const source = (name: string) => JSON.stringify(new URL(`../../src/io/${name}`, import.meta.url).href);

// The HTTP client takes whatever its handler throws for a broken connection; a fault of the gateway must not pass as one.
it.each(['head', 'data', 'end', 'fault'])(
  'what a handler throws in %s is seen, and is no fault of the endpoint',
  async where => {
    const server = await loopback({
      onText: ({ socket }) => socket.end(where === 'fault' ? '' : answer('ok')),
    });
    const script = `
    import { upstreams } from ${source('upstream.ts')};
    import { clock } from ${source('clock.ts')};
    const endpoint = { url: 'http://127.0.0.1:${server.port}', headers: {}, allowPrivate: true };
    const handler = {
      head() {}, data: () => true, end() {}, fault(fault) { console.log(fault.kind); },
      ${where}() { throw new Error('a bug in ${where}'); },
    };
    const body = Buffer.from('{}');
    upstreams({ clock }).open(endpoint, 2000).send({ verb: 'POST', path: '', body, gzip: false, alone: true }, handler);
  `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    expect(err).toContain(`Error: a bug in ${where}`);
    expect(out).toBe('');
    expect(code).toBe(1);
  },
);
