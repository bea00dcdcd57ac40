import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiClient } from '../../src/api/client.ts';
import { runCommand, until } from '../kit/gateway.ts';

const bin = fileURLToPath(new URL('../../bin/rpcgw.js', import.meta.url));

interface Line {
  readonly who: 'script' | 'daemon' | 'client' | 'node';
  readonly text: string;
}

/** The demo as a user starts it, with what it printed so far. */
function startDemo(...args: readonly string[]) {
  const child = spawn(process.execPath, [bin, 'demo', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  child.stdout.on('data', chunk => (output += String(chunk)));
  child.stderr.on('data', chunk => (output += String(chunk)));
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)));
  const find = (pattern: RegExp): Promise<string> => until(async () => pattern.exec(output)?.[1]);
  return { child, ended, find, output: () => output };
}

function linesOf(output: string): Line[] {
  return output
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map((line): Line => JSON.parse(line));
}

describe('rpcgw demo', () => {
  it('plays a story to its end with 0, and what it tells of the daemon is in the daemon’s own events', async () => {
    const demo = startDemo('--once', '--scenario', 'brown-out', '--json');
    const socket = await demo.find(/--socket (\S+)/);
    const api = apiClient([socket]);
    // The daemon goes with the demo, so its events are read until then.
    let events: readonly { endpoint: string | null; chain: string; text: string }[] = [];
    let over = false;
    void demo.ended.then(() => {
      over = true;
    });
    await until(async () => {
      const found = await api.ask('events', { limit: 1000 }).catch(() => undefined);
      if (found !== undefined) events = found.events;
      return over;
    });
    expect(await demo.ended).toBe(0);
    expect(demo.output()).toContain('every promise held');
    const told = linesOf(demo.output());
    const kept = new Set(events.map(({ endpoint, chain, text }) => `${endpoint ?? chain}: ${text}`));
    const ofDaemon = told.filter(({ who }) => who === 'daemon').map(({ text }) => text);
    expect(ofDaemon.length).toBeGreaterThan(0);
    expect(ofDaemon.some(text => text.includes('eth-a') && text.includes('circuit'))).toBe(true);
    // The last ones may have come after the last look.
    for (const text of ofDaemon.slice(0, events.length)) expect(kept).toContain(text);
    const ofClient = told.filter(({ who }) => who === 'client').map(({ text }) => text);
    expect(ofClient.some(text => text.startsWith('ethereum is answered by eth-b'))).toBe(true);
  });

  it('a node that the user kills shows, on the screen and on the socket, and the next request is answered', async () => {
    const demo = startDemo('--scenario', 'high-head');
    const url = await demo.find(/listening on (http:\S+),/);
    const socket = await demo.find(/--socket (\S+)/);
    const pid = Number(await demo.find(/eth-b\s+pid (\d+)/));
    process.kill(pid, 'SIGKILL');
    await demo.find(/(eth-b is gone \(pid \d+, SIGKILL\))/);
    const api = apiClient([socket]);
    await until(async () => {
      const { chains } = await api.ask('status', {});
      const endpoint = chains[0]?.endpoints.find(({ name }) => name === 'eth-b');
      return endpoint?.state === 'down';
    });
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
    await until(async () => {
      const response = await fetch(`${url}/ethereum`, { method: 'POST', body });
      return (await response.text()).startsWith('{"jsonrpc":"2.0","id":1,"result":"0x');
    });
    const { stdout } = await runCommand(['events', '--endpoint', 'eth-b', '--json', '--socket', socket]);
    expect(stdout).toContain('"kind":"circuit"');
    await demo.find(/(daemon +eth-b: circuit read: )/);
    demo.child.kill('SIGINT');
    expect(await demo.ended).toBe(0);
  });

  it('keeps its promises over a restart of the daemon in the middle of a story', async () => {
    const demo = startDemo('--once', '--scenario', 'wrong-network', '--restart', '--json');
    expect(await demo.ended).toBe(0);
    const said = linesOf(demo.output()).map(({ text }) => text);
    const back = said.findIndex(text => text.startsWith('the daemon is back'));
    expect(back).toBeGreaterThan(said.findIndex(text => text.includes('now leads to sepolia')));
    // It was told to be on another network before, and still is.
    expect(said.slice(back)).not.toContain('ethereum is answered by eth-a');
    expect(demo.output()).toContain('every promise held');
  });

  it('names its stories, and an unknown one is a wrong use', async () => {
    const list = await runCommand(['demo', '--list']);
    expect(list.code).toBe(0);
    for (const name of ['tour', 'brown-out', 'lagging']) expect(list.stdout).toContain(name);
    const unknown = await runCommand(['demo', '--scenario', 'nonsense']);
    expect(unknown.code).toBe(2);
  });
});
