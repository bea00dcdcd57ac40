/**
 * `node compile.js NAME`: has a script do some of its work and keeps what V8 made of it meanwhile. Functions that nobody has called by
 * then are not in it, and are compiled when somebody does.
 */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { compile } from './bin/compiled.js';

const dir = mkdtempSync(join(tmpdir(), 'rpcgw-build-'));
const config = join(dir, 'rpcgw.yaml');
const socket = join(dir, 'rpcgw.sock');

/** Short commands, none of which finds a daemon. */
async function short({ run }) {
  const nobody = ['--socket', socket];
  const commands = [
    ['--version'],
    ['--help'],
    ['init', '--file', config],
    ['check', config],
    ['status', ...nobody],
    ['scores', 'ethereum', ...nobody],
  ];
  for (const command of commands) await run(['node', 'rpcgw', ...command]);
}

/** A daemon from its start to its end, with an endpoint that answers everything and one that nobody listens at, and a read. */
async function daemon({ run }) {
  const node = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'));
  });
  const [nodePort, port] = [await listening(node), await freePort()];
  const endpoint = (name, at) => `{ name: ${name}, url: "http://127.0.0.1:${at}", allowPrivate: true }`;
  writeFileSync(
    config,
    `listen: 127.0.0.1:${port}
socket: ${socket}
dataDir: ${join(dir, 'data')}
drain: { delay: 0s }
chains: { ethereum: { endpoints: [${endpoint('a', nodePort)}, ${endpoint('b', 9)}] } }
`,
  );
  let ended = false;
  const over = run(['node', 'rpcgw', 'serve', '--config', config]).then(() => {
    ended = true;
  });
  const at = `http://127.0.0.1:${port}`;
  while (!(await answers(`${at}/readyz`))) {
    if (ended) throw new Error('the daemon ended before it was ready');
    await setTimeout(20);
  }
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
  if (!(await answers(`${at}/ethereum`, { method: 'POST', body }))) throw new Error('no answer to a read');
  process.emit('SIGTERM');
  await over;
  node.close();
  // As they were before `src/daemon/engine.ts`: what is compiled is good only under the flags in force when it is kept.
  setFlagsFromString('--allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--regexp-peephole-optimization');
  setFlagsFromString('--max-inlined-bytecode-size=460');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=920');
}

async function listening(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server.address().port;
}

async function freePort() {
  const server = createServer();
  const port = await listening(server);
  await once(server.close(), 'close');
  return port;
}

function answers(url, options) {
  return fetch(url, options).then(
    ({ ok }) => ok,
    () => false,
  );
}

const works = { short, daemon };

try {
  const [, , name] = process.argv;
  await compile(name, works[name]);
  // What the last command ended with is no failure of this.
  process.exitCode = 0;
} finally {
  rmSync(dir, { recursive: true });
}
