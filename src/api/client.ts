/** The one client of the admin API: every command, `top` included, goes through here. */

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { errors, type OperatorCode, OperatorError } from '../core/errors.ts';
import type { RouteInput, RouteName, RouteOutput } from './contract.ts';
import { type Place, paths } from './paths.ts';

export interface ApiClient {
  readonly socket: string;
  ask<Name extends RouteName>(
    name: Name,
    input: RouteInput<Name>,
    signal?: AbortSignal,
  ): Promise<RouteOutput<Name>>;
  /** Values as they come, until the daemon or `signal` ends it. */
  watch<Name extends RouteName>(
    name: Name,
    input: RouteInput<Name>,
    signal?: AbortSignal,
  ): AsyncGenerator<RouteOutput<Name>, void, undefined>;
}

/**
 * Tries the sockets in order and takes the first that answers; else one error that lists them all. `sockets` may be
 * found out when the first question is asked: not every command asks one.
 */
export function apiClient(sockets: readonly string[] | (() => Promise<readonly string[]>)): ApiClient {
  let places = typeof sockets === 'function' ? undefined : sockets;
  let chosen: string | undefined;

  async function open(route: Place, input: unknown, signal?: AbortSignal): Promise<IncomingMessage> {
    const failures: { socket: string; code: string }[] = [];
    places ??= typeof sockets === 'function' ? await sockets() : sockets;
    for (const socket of chosen === undefined ? places : [chosen]) {
      try {
        const response = await send(socket, route, input, signal);
        chosen = socket;
        return response;
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        failures.push({ socket, code });
      }
    }
    throw unreachable(failures);
  }

  return {
    get socket() {
      return chosen ?? places?.[0] ?? '';
    },
    async ask(name, input, signal) {
      const response = await open(paths[name], input, signal);
      const text = await readText(response);
      if (response.statusCode !== 200) throw failure(text);
      // The daemon is of this very version or newer; fields it adds are to be ignored, so the shape is not parsed again.
      return JSON.parse(text) as RouteOutput<typeof name>;
    },
    async *watch(name, input, signal) {
      const response = await open(paths[name], input, signal);
      if (response.statusCode !== 200) throw failure(await readText(response));
      let rest = '';
      response.setEncoding('utf8');
      try {
        for await (const chunk of response) {
          const lines = `${rest}${String(chunk)}`.split('\n');
          rest = lines.pop() ?? '';
          // One line is one value of the route's output.
          for (const line of lines) if (line !== '') yield JSON.parse(line) as RouteOutput<typeof name>;
        }
      } catch (error) {
        if (signal?.aborted) return;
        throw new OperatorError('daemon_unreachable', 'the daemon ended the connection', {
          why: [String(error)],
        });
      }
    },
  };
}

function send(
  socket: string,
  route: Place,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = route.verb === 'POST' ? JSON.stringify(input) : undefined;
    const request = httpRequest(
      {
        socketPath: socket,
        method: route.verb,
        path: route.verb === 'GET' ? route.path + query(input) : route.path,
        headers:
          body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

function query(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  const given = Object.entries(input).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function failure(text: string): OperatorError {
  const read = wireError(safeJson(text));
  if (read === undefined)
    return new OperatorError('daemon_fault', 'the daemon answered something unexpected', {
      why: [text.slice(0, 200)],
    });
  const { code, message, why, next } = read;
  // A newer daemon may know codes that this program does not.
  const known =
    code in errors && 'exit' in errors[code as keyof typeof errors] ? (code as OperatorCode) : 'daemon_fault';
  return new OperatorError(known, message, { why, next });
}

interface WireError {
  readonly code: string;
  readonly message: string;
  readonly why: readonly string[];
  readonly next: readonly string[];
}

/** Read by hand: a command that only asks loads no schemas. */
function wireError(value: unknown): WireError | undefined {
  const error = memberOf(value, 'error');
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')];
  const [why, next] = [texts(memberOf(error, 'why')), texts(memberOf(error, 'next'))];
  return typeof code === 'string' && typeof message === 'string' ? { code, message, why, next } : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? // An object that has the key.
      (value as Record<string, unknown>)[key]
    : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : [];
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreachable(failures: readonly { socket: string; code: string }[]): OperatorError {
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'is not there',
    ECONNREFUSED: 'is there, but nobody listens',
    EACCES: 'no permission',
    ENOTDIR: 'is not there',
  };
  const why = failures.map(({ socket, code }) => `${socket}: ${reasons[code] ?? code}`);
  const denied = failures.some(({ code }) => code === 'EACCES');
  return new OperatorError(
    denied ? 'no_permission' : 'daemon_unreachable',
    denied ? "no right to the daemon's socket" : 'the daemon does not answer on its socket',
    {
      why,
      next: denied
        ? ['run the command as the user of the daemon, or join the group in `socketGroup`']
        : ['rpcgw serve', 'systemctl status rpcgw', 'or name its socket with --socket PATH'],
    },
  );
}
