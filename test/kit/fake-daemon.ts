/** The admin socket with answers of a test's own: what a dashboard sees of a daemon, and nothing behind it. */

import { createServer, type Server, type ServerResponse } from 'node:http';
import type { RouteName } from '../../src/api/contract.ts';
import { paths } from '../../src/api/paths.ts';

export interface FakeDaemon {
  /** What was asked of it, in order; streams and what a dashboard asks by itself are left out. */
  readonly asked: { readonly route: RouteName; readonly input: unknown }[];
  /** Sends this value to everybody who watches. */
  send(value: unknown): void;
  /** Resolves when somebody watches. */
  watched(): Promise<void>;
  close(): Promise<void>;
}

type Answers = Partial<Record<RouteName, (input: Record<string, unknown>) => unknown>>;

/** An answer that is thrown is sent as an error. */
export async function fakeDaemon(socket: string, answers: Answers): Promise<FakeDaemon> {
  const asked: FakeDaemon['asked'] = [];
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
        response.on('close', () => watchers.delete(response));
        for (const resolve of onWatch) resolve();
        onWatch = [];
        return;
      }
      try {
        const answer = name === undefined ? undefined : answers[name];
        if (answer === undefined) throw { code: 'bad_admin_request', message: `no route ${target.pathname}` };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer(input)));
      } catch (error) {
        response.writeHead(409, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { why: [], next: [], exit: 1, ...Object(error) } }));
      }
    });
  });
  await new Promise<void>(resolve => server.listen(socket, resolve));
  return {
    asked,
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

function routeAt(verb: string | undefined, path: string): RouteName | undefined {
  const found = Object.entries(paths).find(([, place]) => place.verb === verb && place.path === path);
  // The keys of `paths` are the names of the routes.
  return found?.[0] as RouteName | undefined;
}
