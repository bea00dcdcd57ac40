#!/usr/bin/env node
// Finds a Node.js new enough for the program and hands over to it. Runs on any Node that knows ES modules, so this file
// uses nothing newer than that.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(home, 'dist', 'rpcgw', 'main.js');

function newEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/** The checkout's own Node.js, a development dependency. */
function bundledNode() {
  const path = join(home, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : undefined;
}

function fail(lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}

if (!existsSync(main)) {
  fail(['error: rpcgw is not built yet', `  next: npm ci   (in ${home})`]);
} else if (newEnough(process.versions.node)) {
  const { run } = await import(pathToFileURL(main).href);
  await run(process.argv);
} else {
  const node = bundledNode();
  if (node === undefined) {
    fail([
      `error: rpcgw needs Node.js 22.19 or newer, this is ${process.versions.node}`,
      `  next: install Node.js 24, or run npm ci in ${home}, which brings its own`,
    ]);
  } else {
    const { spawn } = await import('node:child_process');
    const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
    // A terminal sends Ctrl-C to both; the child decides what it means. Other signals reach only this process.
    process.on('SIGINT', () => undefined);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'])
      process.on(signal, () => child.kill(signal));
    child.on('exit', (code, signal) => {
      if (signal === null) process.exit(code ?? 1);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }
}
