/**
 * What an operator can do: routes as data, with the shapes that go in and come out. Server and client read the same
 * table, and the same shapes are what `--json` prints, so a field here is a promise to scripts: fields are only added,
 * unknown is `null`, times are RFC 3339 in UTC, spans are numbers of ms, heights are numbers.
 */

import { z } from 'zod';

const time = z.iso.datetime();
const maybeTime = time.nullable();
const count = z.number().int().nonnegative();
const chainName = z.string().min(1).max(64);
const endpointName = z.string().min(1).max(64);

/** Contract section 7, worst first. */
export const endpointStates = [
  'wrong_network',
  'api_only',
  'not_verified',
  'auth_refused',
  'down',
  'half_open',
  'stale',
  'cooling',
  'quarantine',
  'slow',
  'busy',
  'draining',
  'disabled',
  'healthy',
] as const;

const gate = z.object({
  name: z.string(),
  hard: z.boolean(),
  reason: z.string(),
  since: maybeTime,
  until: maybeTime,
  next: z.string().nullable(),
});

const scoreTerms = z.object({
  class: z.enum(['read', 'broadcast', 'heavy']),
  success: z.number(),
  latencyMs: z.number().nullable(),
  poolMedianMs: z.number().nullable(),
  latencyPenalty: z.number(),
  weight: z.number(),
  score: z.number(),
});

const latency = z.object({
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
});

const endpointStatus = z.object({
  name: z.string(),
  chain: z.string(),
  /** Scheme and host, nothing else of the URL. */
  host: z.string(),
  origin: z.enum(['file', 'runtime']),
  state: z.enum(endpointStates),
  /** The state as people read it, with its progress: `quarantine 13/20`. */
  stateText: z.string(),
  progress: z.object({ done: count, of: count }).nullable(),
  reason: z.string().nullable(),
  since: maybeTime,
  until: maybeTime,
  next: z.string().nullable(),
  weight: z.number(),
  score: z.number(),
  success: z.number(),
  latencyMs: latency,
  head: z.number().nullable(),
  lag: z.number().nullable(),
  inFlight: count,
  requestsPerSecond: z.number(),
  requests: count,
  verdicts: z.record(z.string(), count),
  probesToday: count,
  history: z.string(),
  client: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  roles: z.array(z.string()),
  broadcast: z.enum(['prefer', 'allow', 'never']),
  gates: z.array(gate),
  terms: z.array(scoreTerms),
});
export type EndpointStatus = z.infer<typeof endpointStatus>;

const chainStatus = z.object({
  name: z.string(),
  family: z.enum(['evm', 'solana', 'xrpl', 'tron']),
  strategy: z.string(),
  head: z.number().nullable(),
  headSince: maybeTime,
  /** The whole pool's head is old: the chain stands still. */
  oldHead: z.boolean(),
  usable: count,
  total: count,
  inFlight: count,
  requestsPerSecond: z.number(),
  okShare: z.number().nullable(),
  latencyMs: latency,
  unknownBroadcasts: count,
  /** What an operator should know about the pool as a whole, in words. */
  notes: z.array(z.string()),
  endpoints: z.array(endpointStatus),
  /** What the age of the head is measured against. */
  blockTimeMs: z.number(),
});
export type ChainStatus = z.infer<typeof chainStatus>;

const status = z.object({
  version: z.string(),
  node: z.string(),
  pid: count,
  now: time,
  startedAt: time,
  ready: z.boolean(),
  draining: z.boolean(),
  listen: z.string(),
  config: z.string().nullable(),
  store: z.object({ ok: z.boolean(), reason: z.string().nullable(), since: maybeTime }),
  chains: z.array(chainStatus),
});
export type Status = z.infer<typeof status>;

const event = z.object({
  id: count,
  time,
  kind: z.string(),
  chain: z.string(),
  endpoint: z.string().nullable(),
  level: z.enum(['info', 'warn', 'alarm']),
  text: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type EventRow = z.infer<typeof event>;

const done = z.object({
  /** The state reached; `already` when it was so before. */
  already: z.boolean(),
  text: z.string(),
  endpoint: endpointStatus.nullable(),
});
export type Done = z.infer<typeof done>;

const callResult = z.object({
  status: count,
  /** The answer as it came, as text. */
  body: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type CallResult = z.infer<typeof callResult>;

const who = z.object({ who: z.string().max(200).optional() });
const empty = z.object({});

/** A route: verb and path, where the request's fields stand (query of a GET, JSON body otherwise), and the answer. */
export interface Route<In extends z.ZodType = z.ZodType, Out extends z.ZodType = z.ZodType> {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly input: In;
  readonly output: Out;
  /** Lines of JSON, one value of `output` each, until one side ends it. */
  readonly stream?: true;
  /** Changes something: written to the audit table. */
  readonly changes?: true;
}

/** Keeps the shapes of each route as they are, so that handlers and callers are typed by them. */
function route<const Value extends Route>(value: Value): Value {
  return value;
}

export const routes = {
  status: route({
    verb: 'GET',
    path: '/v1/status',
    input: z.object({ chain: chainName.optional() }),
    output: status,
  }),
  statusStream: route({
    verb: 'GET',
    path: '/v1/status/stream',
    input: z.object({ intervalMs: z.coerce.number().int().min(200).max(60_000).default(1000) }),
    output: status,
    stream: true,
  }),
  endpointAdd: route({
    verb: 'POST',
    path: '/v1/endpoint/add',
    input: who.extend({
      chain: chainName,
      name: endpointName,
      url: z.string().min(1).max(4096),
      headers: z.record(z.string(), z.string()).default({}),
      weight: z.number().int().optional(),
      history: z.enum(['full', 'recent', 'auto']).optional(),
      broadcast: z.enum(['prefer', 'allow', 'never']).optional(),
      labels: z.record(z.string(), z.string()).optional(),
      dryRun: z.boolean().default(false),
    }),
    output: done,
    changes: true,
  }),
  endpointRemove: route({
    verb: 'POST',
    path: '/v1/endpoint/remove',
    input: who.extend({
      chain: chainName,
      name: endpointName,
      force: z.boolean().default(false),
      dryRun: z.boolean().default(false),
    }),
    output: done,
    changes: true,
  }),
  events: route({
    verb: 'GET',
    path: '/v1/events',
    input: z.object({
      sinceMs: z.coerce.number().optional(),
      kind: z.string().optional(),
      chain: chainName.optional(),
      endpoint: endpointName.optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(200),
    }),
    output: z.object({ events: z.array(event) }),
  }),
  eventsStream: route({
    verb: 'GET',
    path: '/v1/events/stream',
    input: z.object({ kind: z.string().optional(), chain: chainName.optional() }),
    output: event,
    stream: true,
  }),
  call: route({
    verb: 'POST',
    path: '/v1/call',
    input: z.object({
      chain: chainName,
      /** The method, or for TRON a path such as `/wallet/getnowblock`. */
      method: z.string().min(1).max(200),
      /** JSON-RPC params, or for XRPL and TRON the one object. */
      params: z.unknown().optional(),
    }),
    output: callResult,
  }),
  health: route({ verb: 'GET', path: '/v1/health', input: empty, output: z.object({ ok: z.boolean() }) }),
} as const;

export type RouteName = keyof typeof routes;
export type RouteInput<Name extends RouteName> = z.input<(typeof routes)[Name]['input']>;
export type RouteRequest<Name extends RouteName> = z.output<(typeof routes)[Name]['input']>;
export type RouteOutput<Name extends RouteName> = z.output<(typeof routes)[Name]['output']>;

/** An error over the socket, and what `--json` prints on stderr. */
export const wireError = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    why: z.array(z.string()),
    next: z.array(z.string()),
    exit: z.number(),
  }),
});
