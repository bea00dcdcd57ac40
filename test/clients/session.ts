/** One client library does the same calls twice, at the node and through the gateway; what differs is listed. */

import type { IncomingHttpHeaders } from 'node:http';
import { type Exchange, startTap } from './tap.ts';

export interface Session {
  readonly url: string;
  /** Does one call, and keeps what came of it: a value, or the error as the library shows it. */
  call<T>(name: string, ask: () => Promise<T>): Promise<T | undefined>;
}

/** A client library, with the calls that are made with it. `Node`: what it may do with the node beside the calls. */
export interface Client<Node> {
  /** As npm calls it, or the program's name. */
  readonly name: string;
  readonly version: string;
  /** Calls that must come out otherwise through the gateway, and why. */
  readonly onPurpose?: Readonly<Record<string, string>>;
  run(session: Session, node: Node): Promise<void>;
}

interface Outcome {
  readonly name: string;
  readonly shown: string;
}

interface Run {
  readonly outcomes: readonly Outcome[];
  readonly exchanges: readonly Exchange[];
}

export interface Difference {
  readonly client: string;
  readonly call: string;
  readonly what: string;
  readonly direct: string;
  readonly through: string;
}

export interface Row {
  readonly client: string;
  readonly version: string;
  readonly calls: readonly string[];
  /** Those that end in an error at the node, as the library shows it. */
  readonly errors: readonly string[];
  /** HTTP requests that these calls made. */
  readonly exchanges: number;
  readonly differences: readonly Difference[];
  readonly onPurpose: Readonly<Record<string, string>>;
  /** Names of headers that only one side has; no client here looks at them. */
  readonly added: readonly string[];
  readonly leftBehind: readonly string[];
}

/** The node is brought back to where it was before each of the two runs. */
export async function compare<Node>(
  client: Client<Node>,
  node: Node,
  urls: { readonly direct: string; readonly through: string },
  reset: () => Promise<void>,
): Promise<Row> {
  await reset();
  const direct = await once(client, node, urls.direct);
  await reset();
  const through = await once(client, node, urls.through);
  const calls = direct.outcomes.map(({ name }) => name);
  if (new Set(calls).size !== calls.length) throw new Error(`${client.name}: two calls of one name`);
  const { onPurpose = {} } = client;
  const found = calls.flatMap(call => differences(client.name, call, direct, through));
  const alike = Object.keys(onPurpose)
    .filter(name => found.every(({ call }) => call !== name))
    .map(call => ({ client: client.name, call, what: 'meant to differ', direct: 'alike', through: 'alike' }));
  return {
    client: client.name,
    version: client.version,
    calls,
    errors: direct.outcomes.filter(({ shown }) => shown.startsWith('error ')).map(({ name }) => name),
    exchanges: through.exchanges.length,
    differences: [...found.filter(({ call }) => !(call in onPurpose)), ...alike],
    onPurpose,
    added: onlyIn(through, direct),
    leftBehind: onlyIn(direct, through),
  };
}

async function once<Node>(client: Client<Node>, node: Node, url: string): Promise<Run> {
  const tap = await startTap(url);
  const outcomes: Outcome[] = [];
  try {
    const { url: at } = tap;
    const call: Session['call'] = async (name, ask) => {
      tap.during = name;
      try {
        const value = await ask();
        outcomes.push({ name, shown: settled(`value ${show(value)}`, at) });
        return value;
      } catch (error) {
        outcomes.push({ name, shown: settled(`error ${show(error)}`, at) });
        return undefined;
      }
    };
    await client.run({ url: at, call }, node);
  } finally {
    await tap.close();
  }
  return { outcomes, exchanges: tap.exchanges };
}

function differences(client: string, call: string, direct: Run, through: Run): Difference[] {
  const found: Difference[] = [];
  const hold = (what: string, one: string, other: string): void => {
    if (one !== other) found.push({ client, call, what, direct: one, through: other });
  };
  const [a, b] = [direct, through].map(({ outcomes }) => outcomes.find(({ name }) => name === call)?.shown);
  hold('outcome', a ?? 'none', b ?? 'none');
  // What goes out at the same time may arrive in another order.
  const [one, other] = [direct, through].map(({ exchanges }) => inOrder(exchanges, call));
  hold('requests', String(one?.length), String(other?.length));
  for (const [at, exchange] of (one ?? []).entries()) {
    const twin = other?.[at];
    if (twin === undefined) continue;
    hold('request', settled(exchange.asked), settled(twin.asked));
    hold('status', String(exchange.status), String(twin.status));
    for (const name of ['content-type', 'content-encoding', 'retry-after', 'location', 'www-authenticate'])
      hold(name, String(exchange.headers[name]), String(twin.headers[name]));
    hold('answer', settled(exchange.answer), settled(twin.answer));
    if (twin.answer !== '')
      hold(
        'ids of the answer',
        'as asked',
        idsOf(twin.answer) === idsOf(twin.asked) ? 'as asked' : twin.answer,
      );
  }
  return found;
}

function inOrder(exchanges: readonly Exchange[], call: string): Exchange[] {
  return exchanges
    .filter(({ during }) => during === call)
    .sort((a, b) => settled(a.asked).localeCompare(settled(b.asked)));
}

/** The ids as JSON texts, in order; what has none (an answer to a notification, REST) shows none. */
function idsOf(text: string): string {
  if (!/^\s*[[{]/.test(text)) return '[]';
  const read: unknown = JSON.parse(text);
  const items = Array.isArray(read) ? read : [read];
  return JSON.stringify(
    items.flatMap(item =>
      item !== null && typeof item === 'object' && 'jsonrpc' in item && 'id' in item ? [item.id] : [],
    ),
  );
}

/** Without what differs from one run to the next by itself: the address, ids that count on, a node's own filter ids. */
function settled(text: string, url = ''): string {
  return (url === '' ? text : text.replaceAll(url, 'URL').replaceAll(new URL(url).host, 'HOST'))
    .replace(/\\*"id\\*":\s*(?:\\*"[\w-]*\\*"|\d+)/g, '"id":ID')
    .replace(/\bid: \d+/g, 'id: ID')
    .replace(/\b0x[0-9a-f]{31,32}\b/g, 'FILTER');
}

function show(value: unknown): string {
  return JSON.stringify(plainOf(value, 0)) ?? 'undefined';
}

const errorFields = [
  'name',
  'code',
  'shortMessage',
  'message',
  'details',
  'data',
  'status',
  'info',
  'error',
  'cause',
  'context',
  'innerError',
  'transactionLogs',
  'response',
];

/** Values as JSON; of an error what a program can act on. */
function plainOf(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (value === null || typeof value !== 'object') return value;
  if (depth > 6) return '…';
  if (value instanceof Map) return plainOf([...value], depth);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Error) {
    const fields = errorFields.filter(name => name in value);
    // An error is an object: its fields are read by name.
    const record = value as unknown as Record<string, unknown>;
    return Object.fromEntries(fields.map(name => [name, plainOf(record[name], depth + 1)]));
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return plainOf(value.toJSON(), depth + 1);
  if (Array.isArray(value)) return value.map(item => plainOf(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !/^(?:provider|request|config|_|headers$)/.test(key))
      .map(([key, item]) => [key, plainOf(item, depth + 1)]),
  );
}

function onlyIn(one: Run, other: Run): string[] {
  const names = ({ exchanges }: Run) => new Set(exchanges.flatMap(({ headers }) => headerNames(headers)));
  const there = names(other);
  return [...names(one)].filter(name => !there.has(name)).sort();
}

/** Without those of the connection itself. */
function headerNames(headers: IncomingHttpHeaders): string[] {
  const own = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];
  return Object.keys(headers).filter(name => !own.includes(name));
}
