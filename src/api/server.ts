/**
 * The admin API: HTTP over a Unix socket and nowhere else. Node cannot read a peer's credentials, so the modes of the
 * socket and its folder are the right; the file is never open for a moment while it is made. Handlers are handed in.
 */

import { chmodSync, chownSync, lstatSync, mkdirSync, statSync, unlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { z } from 'zod/mini';
import english from 'zod/v4/locales/en.js';
import { errors, OperatorError } from '../core/errors.ts';
import { type Route, type RouteName, type RouteOutput, type RouteRequest, routes } from './contract.ts';
import { errorObject } from './error-object.ts';

export type Handlers = {
  readonly [Name in RouteName]: (typeof routes)[Name] extends { stream: true }
    ? (input: RouteRequest<Name>) => AsyncIterable<RouteOutput<Name>>
    : (input: RouteRequest<Name>) => RouteOutput<Name> | Promise<RouteOutput<Name>>;
};

const bodyLimitBytes = 1024 * 1024;
/** More than any call has; past some thousands whoever writes it out again runs out of stack. */
const mostLevels = 64;
/** Commands, dashboards and streams of everybody who has a right to the socket. */
const mostConnections = 256;

export interface AdminServer {
  close(): Promise<void>;
}

export async function serveAdmin(
  socketPath: string,
  handlers: Handlers,
  options: { readonly groupId?: number; readonly headMs?: number; readonly requestMs?: number } = {},
): Promise<AdminServer> {
  const { groupId, headMs = 5_000, requestMs = 30_000 } = options;
  const shared = groupId !== undefined;
  const folder = dirname(socketPath);
  mkdirSync(folder, { recursive: true, mode: shared ? 0o750 : 0o700 });
  holdFolder(folder);
  await clearPath(socketPath);
  const byPath = new Map(
    Object.entries(routes).map(([name, route]) => [`${route.verb} ${route.path}`, { name, route }]),
  );
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.min(1000, headMs),
    maxHeaderSize: 16 * 1024,
  });
  server.maxConnections = mostConnections;
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error));
  });
  await listen(server, socketPath);
  if (groupId !== undefined) {
    chownSync(socketPath, -1, groupId);
    chmodSync(socketPath, 0o660);
  }

  return {
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Paths are taken literally: there is nothing in a route that would have to be decoded.
    const [path = '', query] = (request.url ?? '').split('?', 2);
    const found = byPath.get(`${request.method} ${path}`);
    if (found === undefined)
      throw new OperatorError('bad_admin_request', `no route ${request.method} ${path}`);
    const given =
      request.method === 'GET' ? Object.fromEntries(new URLSearchParams(query)) : await readJson(request);
    const input = parse(found.route, given);
    // Routes and handlers are keyed alike; the type of a single entry is lost in the look-up by path.
    const handler = handlers[found.name as RouteName] as (input: unknown) => unknown;
    if ((found.route as Route).stream) {
      return stream(response, handler(input) as AsyncIterable<unknown>);
    }
    const output = await handler(input);
    const body = JSON.stringify(output);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }
}

/** zod/mini brings no words of its own. */
const { localeError } = english();

function parse(route: Route, given: unknown): unknown {
  const read = route.input.safeParse(given, { error: localeError });
  if (read.success) return read.data;
  throw new OperatorError('bad_admin_request', 'the admin request is not valid', { why: issues(read.error) });
}

function issues(error: z.core.$ZodError): string[] {
  return error.issues.map(issue => `${issue.path.join('.') || 'request'}: ${issue.message}`);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part: Buffer = chunk;
    bytes += part.length;
    if (bytes > bodyLimitBytes)
      throw new OperatorError('bad_admin_request', `the body is larger than ${bodyLimitBytes} bytes`);
    chunks.push(part);
  }
  const given = jsonOf(Buffer.concat(chunks).toString('utf8') || '{}');
  if (isDeeper(given, mostLevels))
    throw new OperatorError('bad_admin_request', `the body is nested deeper than ${mostLevels} levels`);
  return given;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OperatorError('bad_admin_request', 'the body is not JSON');
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1));
}

async function stream(response: ServerResponse, values: AsyncIterable<unknown>): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  const iterator = values[Symbol.asyncIterator]();
  // The watcher went away: the iterator must hear of it even while it waits for the next value.
  response.on('close', () => void iterator.return?.());
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (response.destroyed) break;
    if (!response.write(`${JSON.stringify(next.value)}\n`)) {
      await new Promise<void>(resolve => {
        response.once('drain', resolve);
        response.once('close', resolve);
      });
    }
  }
  response.end();
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const known =
    error instanceof OperatorError
      ? error
      : new OperatorError('daemon_fault', 'a fault of the daemon', { why: [String(error)] });
  const row = errors[known.code];
  const body = JSON.stringify(errorObject(known));
  response.writeHead('http' in row ? row.http : 500, {
    'content-type': 'application/json',
    connection: 'close',
  });
  response.end(body);
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The socket file is made by bind under this mask, so that it never is open to others, not even for a moment.
    const before = process.umask(0o177);
    server.once('error', error => {
      reject(new OperatorError('listen_failed', `cannot listen on ${socketPath}`, { why: [error.message] }));
    });
    server.listen(socketPath, () => resolve());
    process.umask(before);
  });
}

/** Whoever may write in the folder can put a socket of his own in place of ours, and gets what commands send there. */
function holdFolder(folder: string): void {
  const { mode, uid } = statSync(folder);
  const own = process.getuid?.();
  const foreign = own !== undefined && uid !== own && uid !== 0;
  if (!foreign && (mode & 0o022) === 0) return;
  throw new OperatorError('listen_failed', `the socket cannot be in ${folder}`, {
    why: [
      foreign
        ? 'the folder is of another user'
        : 'others may write there, and put a socket of theirs in its place',
    ],
    next: [`chmod go-w ${folder}`, 'or set another `socket` in the config, in a folder of its own'],
  });
}

/** Takes over a socket nobody listens on; never removes what is not a socket or is alive. */
async function clearPath(socketPath: string): Promise<void> {
  const there = lstatSync(socketPath, { throwIfNoEntry: false });
  if (there === undefined) return;
  if (!there.isSocket()) {
    throw new OperatorError('listen_failed', `${socketPath} is there and is no socket`, {
      next: ['move it away, or set another `socket` in the config'],
    });
  }
  if (await alive(socketPath)) {
    throw new OperatorError('already_running', `another daemon listens on ${socketPath}`, {
      next: ['rpcgw status'],
    });
  }
  unlinkSync(socketPath);
}

function alive(socketPath: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect(socketPath);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
