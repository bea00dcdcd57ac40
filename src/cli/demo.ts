/**
 * `serve` with simulated chains that misbehave on a script. Nothing is a recording: the nodes are processes that can be
 * killed, the daemon is the real one, and every line about it comes from its own socket or from a client's answers.
 */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiClient, apiClient } from '../api/client.ts';
import type { EventRow } from '../api/contract.ts';
import { OperatorError } from '../core/errors.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { type CommandContext, option } from './context.ts';
import { watchClient } from './demo-client.ts';
import { type SimNode, type SimNodeSpec, startSimNode } from './demo-nodes.ts';
import { promises } from './demo-promises.ts';
import { startServe } from './serve.ts';

interface Step {
  /** After the step before, and what was waited for there, ms. */
  readonly afterMs: number;
  readonly node: string;
  readonly fault: { readonly kind: string };
  readonly says: string;
  /** The state the node's endpoint must be seen in; while it misbehaves it then answers no client. */
  readonly state?: string;
  /** The kind of event that must be seen. */
  readonly event?: string;
  /** Whether clients may get errors from here on, since no endpoint is left that could answer. */
  readonly mayFail?: boolean;
}

interface Scenario {
  readonly says: string;
  readonly nodes: readonly SimNodeSpec[];
  readonly steps: readonly Step[];
}

/** How long after the last step a story goes on, so that its end can be seen, ms. */
const epilogueMs = 8_000;
/** Requests that were on their way when the daemon went are over by then, ms. */
const settledMs = 1_000;

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
  const start = (): Promise<Daemon> => startServe({ configFile: file, logLevel: 'silent' });
  let daemon = await start();
  await daemon.ready;
  const api = apiClient([socket]);
  const stop = new AbortController();
  const held = promises();

  header(context, name, scenario, nodes, daemon.url, socket);
  for (const node of nodes) {
    node.onExit(how => {
      if (stop.signal.aborted) return;
      held.disturbed(node.chain);
      say('node', `${node.name} is gone (pid ${node.pid}, ${how})`);
    });
  }
  const tell = () => {
    const watching = new AbortController();
    const signal = AbortSignal.any([watching.signal, stop.signal]);
    const over = tellEvents(api.watch('eventsStream', {}, signal), say);
    return { over, end: () => watching.abort() };
  };
  let told = tell();
  const clients = [...new Set(nodes.map(node => node.chain))].map(chain =>
    watchClient(
      () => daemon.url,
      chain,
      stop.signal,
      reading => {
        held.note(reading);
        if (reading.isNews) say('client', reading.text);
      },
    ),
  );
  const interrupted = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const restart = async (mayFail: boolean): Promise<void> => {
    say('script', 'the daemon is stopped, and started again on what it had kept');
    held.allowFailures(true);
    told.end();
    await told.over;
    await daemon.stop();
    daemon = await start();
    await daemon.ready;
    told = tell();
    say('script', `the daemon is back, on ${daemon.url}`);
    // A request that was on its way to the daemon before may still come back as an error.
    await pause(settledMs, stop.signal);
    held.allowFailures(mayFail);
  };
  const story = async (): Promise<void> => {
    let mayFail = false;
    const middle = context.options.restart === true ? Math.ceil(scenario.steps.length / 2) : undefined;
    for (const [index, step] of scenario.steps.entries()) {
      if (index === middle) await restart(mayFail);
      await pause(step.afterMs, stop.signal);
      if (stop.signal.aborted) return;
      mayFail = step.mayFail ?? mayFail;
      held.allowFailures(mayFail);
      held.free(step.node);
      say('script', step.says);
      const node = nodes.find(each => each.name === step.node);
      node?.misbehave(step.fault);
      const missed = await missedBy(api, step, stop.signal);
      if (missed !== undefined) held.breach(missed);
      else if (node !== undefined && step.state !== undefined && step.fault.kind !== 'none')
        held.keptOut(node.chain, node.name);
    }
    if (middle === scenario.steps.length) await restart(mayFail);
    await pause(epilogueMs, stop.signal);
  };
  const once = context.options.once === true;
  await Promise.race([
    interrupted,
    once ? story() : story().then(() => afterwards(say, interrupted, stop.signal)),
  ]);
  stop.abort();
  await Promise.all([told.over, ...clients]);
  await daemon.stop();
  for (const text of held.broken) context.note(`broken: ${text}`);
  const { size } = held.broken;
  if (once) context.out(size === 0 ? 'every promise held' : `${size} promises were broken`);
  return size === 0 ? 0 : 1;
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

/** A chain counts as standing still after a minute. */
const longestMs = 90_000;

/** What a step must bring about and did not in time; undefined: all of it came. */
async function missedBy(api: ApiClient, step: Step, signal: AbortSignal): Promise<string | undefined> {
  const { node, state, event } = step;
  const isIn = async (): Promise<boolean> => {
    const { chains } = await api.ask('status', {});
    const endpoint = chains.flatMap(chain => chain.endpoints).find(each => each.name === node);
    return endpoint?.state === state;
  };
  const isTold = async (): Promise<boolean> =>
    (await api.ask('events', { limit: 1000 })).events.some(({ kind }) => kind === event);
  if (state !== undefined && !(await comes(isIn, signal))) return `${node} was never seen as ${state}`;
  if (event !== undefined && !(await comes(isTold, signal))) return `no event ${event} was seen`;
  return undefined;
}

async function comes(look: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + longestMs;
  while (performance.now() < until && !signal.aborted) {
    if (await look()) return true;
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
