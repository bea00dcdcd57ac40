/**
 * Runs short commands in one process and keeps what V8 made of the script meanwhile: the functions that nobody has called yet
 * are not in it, and are compiled when somebody does.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from './bin/compiled.js';

const dir = mkdtempSync(join(tmpdir(), 'rpcgw-build-'));
const config = join(dir, 'rpcgw.yaml');
const nobody = ['--socket', join(dir, 'rpcgw.sock')];
const commands = [
  ['--version'],
  ['--help'],
  ['init', '--file', config],
  ['check', config],
  ['status', ...nobody],
  ['scores', 'ethereum', ...nobody],
];

try {
  await compile(async ({ run }) => {
    for (const command of commands) await run(['node', 'rpcgw', ...command]);
  });
  // What the last command ended with is no failure of this.
  process.exitCode = 0;
} finally {
  rmSync(dir, { recursive: true });
}
