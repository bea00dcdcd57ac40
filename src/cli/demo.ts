/**
 * `serve` with simulated chains that misbehave on a script. Nothing is a recording: the nodes are processes that can be
 * killed, the daemon is the real one, and every line about it comes from its own socket or from a client's answers.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiClient } from '../api/client.ts';
import type { EventRow, Status } from '../api/contract.ts';
import { OperatorError } from '../core/errors.ts';
import { type CommandContext, option } from './context.ts';
import { type Reading, watchClient } from './demo-client.ts';
import { type SimNode, type SimNodeSpec, startSimNode } from './demo-nodes.ts';
import { startServe } from './serve.ts';

interface Step {
  /** After the step before, and what was waited for there, ms. */
  readonly afterMs: number;
  readonly node: string;
  readonly fault: { readonly kind: string };
  readonly says: string;
  /** The state the node's endpoint must be seen in before the next step that concerns it. */
  readonly state?: string;
  /** Clients may get errors from here on: no endpoint is left that could answer. */
  readonly mayFail?: boolean;
}

interface Scenario {
  readonly says: string;
  readonly nodes: readonly SimNodeSpec[];
  readonly steps: readonly Step[];
}

/** How long after the last step a story goes on, so that its end can be seen, ms. */
const epilogueMs = 8_000;

async function readScenarios(): Promise<Record<string, Scenario>> {
  const text = await readFile(new URL('../../fixtures/scenarios.json', import.meta.url), 'utf8');
  // Our own file, read by a test too.
  return JSON.parse(text) as Record<string, Scenario>;
}

export async function run(context: CommandContext): Promise<number> {
  const scenarios = await readScenarios();
  if (context.options.list === true) {
    for (const [name, { says }] of Object.entries(scenarios)) context.out(`${name.padEnd(16)}${says}`);
    return 0;
  }
  const name = option(context, 'scenario') ?? 'tour';
  const scenario = scenarios[name];
  if (scenario === undefined) {
    throw new OperatorError('usage', `there is no scenario ${name}`, {
      why: [Object.keys(scenarios).join(', ')],
      next: ['rpcgw demo --list'],
    });
  }
  const dir = await mkdtemp(join(tmpdir(), 'rpcgw-demo-'));
  const nodes = await Promise.all(scenario.nodes.map(spec => startSimNode(spec)));
  try {
    return await play(context, name, scenario, nodes, dir);
  } finally {
    for (const node of nodes) node.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function play(
  context: CommandContext,
  name: string,
  scenario: Scenario,
  nodes: readonly SimNode[],
  dir: string,
): Promise<number> {
  const say = narrator(context);
  const file = join(dir, 'rpcgw.yaml');
  const socket = join(dir, 'run', 'rpcgw.sock');
  await writeFile(file, configText(nodes, dir, socket, option(context, 'port') ?? '8600'));
  const daemon = await startServe({ configFile: file, logLevel: 'silent' });
  await daemon.ready;
  const api = apiClient([socket]);
  const stop = new AbortController();
  const broken: string[] = [];
  let mayFail = false;

  header(context, name, scenario, nodes, daemon.url, socket);
  for (const node of nodes) {
    node.onExit(how => {
      if (!stop.signal.aborted) say('node', `${node.name} is gone (pid ${node.pid}, ${how})`);
    });
  }
  const told = tellEvents(api.watch('eventsStream', {}, stop.signal), say);
  const clients = [...new Set(nodes.map(node => node.chain))].map(chain =>
    watchClient(daemon.url, chain, stop.signal, (reading: Reading) => {
      say('client', reading.text);
      if (reading.failed && !mayFail) broken.push(reading.text);
    }),
  );
  const interrupted = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const story = async (): Promise<void> => {
    for (const step of scenario.steps) {
      await pause(step.afterMs, stop.signal);
      if (stop.signal.aborted) return;
      if (step.mayFail) mayFail = true;
      say('script', step.says);
      nodes.find(node => node.name === step.node)?.misbehave(step.fault);
      if (step.state === undefined) continue;
      const seen = await reaches(() => api.ask('status', {}), step, stop.signal);
      if (!seen) broken.push(`${step.node} was never seen as ${step.state}`);
    }
    await pause(epilogueMs, stop.signal);
  };
  const once = context.options.once === true;
  await Promise.race([
    interrupted,
    once ? story() : story().then(() => afterwards(say, interrupted, stop.signal)),
  ]);
  stop.abort();
  await Promise.all([told, ...clients]);
  await daemon.stop();
  for (const text of broken) context.note(`broken: ${text}`);
  if (once) context.out(broken.length === 0 ? 'every promise held' : `${broken.length} promises were broken`);
  return broken.length === 0 ? 0 : 1;
}

function header(
  context: CommandContext,
  name: string,
  scenario: Scenario,
  nodes: readonly SimNode[],
  url: string,
  socket: string,
): void {
  const chain = nodes[0]?.chain ?? 'ethereum';
  const body =
    chain === 'xrpl' ? '{"method":"server_info"}' : '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}';
  context.out(`rpcgw demo: ${name}, ${scenario.says}`);
  context.out(`listening on ${url}, chains: ${[...new Set(nodes.map(node => node.chain))].join(', ')}`);
  context.out('');
  context.out('worth typing, in another terminal:');
  context.out(`  curl -si ${url}/${chain} -d '${body}'`);
  context.out(`  bin/rpcgw.js status --socket ${socket}`);
  context.out(`  bin/rpcgw.js events --follow --socket ${socket}`);
  context.out('');
  context.out('the simulated nodes, each a process of its own; kill one and watch:');
  for (const node of nodes)
    context.out(`  ${node.chain.padEnd(10)}${node.name.padEnd(8)}pid ${node.pid}  (kill ${node.pid})`);
  context.out('');
}

type Say = (who: 'script' | 'daemon' | 'client' | 'node', text: string) => void;

function narrator(context: CommandContext): Say {
  const began = performance.now();
  return (who, text) => {
    const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
    context.out(
      context.json
        ? JSON.stringify({ seconds: Number(seconds), who, text })
        : `${seconds}s  ${who.padEnd(7)}${text}`,
    );
  };
}

async function tellEvents(events: AsyncIterable<EventRow>, say: Say): Promise<void> {
  for await (const event of events) {
    const where = event.endpoint === null ? event.chain : event.endpoint;
    say('daemon', `${where}: ${event.text}`);
  }
}

async function afterwards(say: Say, interrupted: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  say('script', 'the story is over; the daemon goes on. Ctrl-C ends it');
  await interrupted;
}

/** True once the endpoint of the step's node shows the wanted state; gives up after half a minute. */
async function reaches(ask: () => Promise<Status>, step: Step, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + 30_000;
  while (performance.now() < until && !signal.aborted) {
    const { chains } = await ask();
    const endpoint = chains.flatMap(chain => chain.endpoints).find(each => each.name === step.node);
    if (endpoint?.state === step.state) return true;
    await pause(100, signal);
  }
  return signal.aborted;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, Math.max(0, ms));
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}

function configText(nodes: readonly SimNode[], dir: string, socket: string, port: string): string {
  const chains = [...new Set(nodes.map(node => node.chain))].map(chain => {
    const endpoints = nodes
      .filter(node => node.chain === chain)
      .map(node => `      - { name: ${node.name}, url: "${node.url}", allowPrivate: true }`);
    // Asked every second, so that the story need not wait for the usual five.
    return [`  ${chain}:`, '    probes: { interval: 1s }', '    endpoints:', ...endpoints].join('\n');
  });
  const head = [
    `listen: 127.0.0.1:${port}`,
    `dataDir: ${join(dir, 'data')}`,
    `socket: ${socket}`,
    // Nobody balances load here, and who ends a demo does not want to wait.
    'drain: { delay: 0s }',
    'chains:',
  ];
  return `${[...head, ...chains].join('\n')}\n`;
}
