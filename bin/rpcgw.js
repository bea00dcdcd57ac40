#!/usr/bin/env node
// Finds a Node.js new enough for the program and hands over to it. Runs on any Node.js since 16, so this file uses nothing
// newer than that; and it is no ES module, whose loader takes as long to come up as some commands run.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { newEnough } = require('./new-enough.js');

const home = dirname(__dirname);
const main = join(home, 'dist', 'rpcgw', 'main.js');

/** The checkout's own Node.js, a development dependency. */
function bundledNode() {
  const path = join(home, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : undefined;
}

function fail(lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exit(1);
}

/** By a script that can do it, else by the whole program. */
async function run(argv) {
  const { load, scriptFor } = require('./compiled.js');
  const name = scriptFor(argv);
  const program = (name && load(name)) ?? (await import(pathToFileURL(main).href));
  await program.run(argv);
}

if (!existsSync(main)) {
  fail(['error: rpcgw is not built yet', `  next: npm ci   (in ${home})`]);
} else if (newEnough(process.versions.node)) {
  run(process.argv);
} else {
  const node = bundledNode();
  if (node === undefined) {
    fail([
      `error: rpcgw needs Node.js 22.19 or newer, this is ${process.versions.node}`,
      `  next: install Node.js 24, or run npm ci in ${home}, which brings its own`,
    ]);
  } else {
    const { spawn } = require('node:child_process');
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
