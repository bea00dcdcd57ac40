/** The admin socket with answers of a test's own: what a dashboard sees of a daemon, and nothing behind it. */

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { RouteName } from '../../src/api/contract.ts';
import { errorObject } from '../../src/api/error-object.ts';
import { paths } from '../../src/api/paths.ts';
import { OperatorError } from '../../src/core/errors.ts';

export interface FakeDaemon {
  /** What was asked of it, in order; streams and what a dashboard asks by itself are left out. */
  readonly asked: { readonly route: RouteName; readonly input: unknown }[];
  /** What each stream was asked with, in order. */
  readonly streams: unknown[];
  /** Sends this value to everybody who watches. */
  send(value: unknown): void;
  /** Resolves when somebody watches. */
  watched(): Promise<void>;
  close(): Promise<void>;
}

type Answers = Partial<Record<RouteName, (input: Record<string, unknown>) => unknown>>;

/** An OperatorError that is thrown is sent as one. */
export async function fakeDaemon(socket: string, answers: Answers): Promise<FakeDaemon> {
  const asked: FakeDaemon['asked'] = [];
  const streams: unknown[] = [];
  const watchers = new Set<ServerResponse>();
  let onWatch: (() => void)[] = [];
  const quiet: readonly RouteName[] = ['status', 'statusStream', 'events', 'broadcasts'];
  const server: Server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', 'http://admin');
    const name = routeAt(request.method, target.pathname);
    let body = '';
    request.setEncoding('utf8');
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      const input = body === '' ? Object.fromEntries(target.searchParams) : JSON.parse(body);
      if (name !== undefined && !quiet.includes(name)) asked.push({ route: name, input });
      if (name === 'statusStream') {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' });
        response.flushHeaders();
        watchers.add(response);
        streams.push(input);
        response.on('close', () => watchers.delete(response));
        for (const resolve of onWatch) resolve();
        onWatch = [];
        return;
      }
      const reply = answerOf(answers, name, input);
      response.writeHead(reply.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>(resolve => server.listen(socket, resolve));
  return {
    asked,
    streams,
    send(value) {
      for (const watcher of watchers) watcher.write(`${JSON.stringify(value)}\n`);
    },
    watched: () => (watchers.size > 0 ? Promise.resolve() : new Promise(resolve => onWatch.push(resolve))),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf(
  answers: Answers,
  name: RouteName | undefined,
  input: Record<string, unknown>,
): { readonly status: number; readonly body: unknown } {
  try {
    const answer = name === undefined ? undefined : answers[name];
    if (answer === undefined) throw new OperatorError('bad_admin_request', `no answer to ${name}`);
    return { status: 200, body: answer(input) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { status: 409, body: errorObject(error) };
  }
}

function routeAt(verb: string | undefined, path: string): RouteName | undefined {
  const found = Object.entries(paths).find(([, place]) => place.verb === verb && place.path === path);
  // The keys of `paths` are the names of the routes.
  return found?.[0] as RouteName | undefined;
}
