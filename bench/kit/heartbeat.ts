/**
 * Asks a daemon for `/livez`, one question after the other, and tells the longest wait between two messages of the bench.
 * In a process of its own: making and sending a request of megabytes holds up the bench, which must not count as the daemon's.
 * `node bench/kit/heartbeat.ts PORT`
 */

import { Caller, dial } from './caller.ts';

const port = process.argv[2];
const caller = new Caller(await dial({ url: `http://127.0.0.1:${port}`, path: '/' }));
const livez = Buffer.from(`GET /livez HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
let beating = false;
let worst = 0;

async function beat(): Promise<void> {
  while (beating) {
    const started = performance.now();
    await caller.ask(livez);
    worst = Math.max(worst, performance.now() - started);
  }
  process.send?.({ worst });
}

process.on('message', () => {
  beating = !beating;
  if (!beating) return;
  worst = 0;
  void beat();
  process.send?.({ begun: true });
});
process.send?.({ ready: true });
