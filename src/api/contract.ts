/**
 * What an operator can do: routes as data, with the shapes that go in and come out. Server and client read the same
 * table, and the same shapes are what `--json` prints, so a field here is a promise to scripts: fields are only added,
 * unknown is `null`, times are RFC 3339 in UTC, spans are numbers of ms, heights are numbers.
 */

import { z } from 'zod/mini';
import { recordedOutcomes } from '../core/broadcast.ts';
import { diagnosis, examination, explanation, gate, plan } from './advice-shapes.ts';
import {
  chainName,
  count,
  endpointName,
  label,
  maybeNumber,
  maybeTime,
  oneLine,
  queryFlag,
  queryMs,
  time,
} from './fields.ts';
import { auditList, auditVerdict, broadcastStory, broadcasts, report, trace } from './history-shapes.ts';
import { type Place, paths } from './paths.ts';

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

const scoreTerms = z.object({
  class: z.enum(['read', 'broadcast', 'heavy']),
  success: z.number(),
  latencyMs: z.nullable(z.number()),
  poolMedianMs: z.nullable(z.number()),
  latencyPenalty: z.number(),
  weight: z.number(),
  score: z.number(),
});

const latency = z.object({
  p50: z.nullable(z.number()),
  p95: z.nullable(z.number()),
  p99: z.nullable(z.number()),
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
  progress: z.nullable(z.object({ done: count, of: count })),
  reason: z.nullable(z.string()),
  since: maybeTime,
  until: maybeTime,
  next: z.nullable(z.string()),
  weight: z.number(),
  score: z.number(),
  success: z.number(),
  latencyMs: latency,
  head: z.nullable(z.number()),
  lag: z.nullable(z.number()),
  inFlight: count,
  requestsPerSecond: z.number(),
  requests: count,
  verdicts: z.record(z.string(), count),
  probesToday: count,
  history: z.string(),
  client: z.nullable(z.string()),
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
  head: z.nullable(z.number()),
  headSince: maybeTime,
  /** The whole pool's head is old: the chain stands still. */
  oldHead: z.boolean(),
  usable: count,
  total: count,
  inFlight: count,
  requestsPerSecond: z.number(),
  okShare: z.nullable(z.number()),
  latencyMs: latency,
  unknownBroadcasts: count,
  /** It may take reads now, last resorts included. */
  ready: z.boolean(),
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
  config: z.nullable(z.string()),
  /** The last reload that was asked for; `null`: none since the start. */
  lastReload: z.nullable(z.object({ ok: z.boolean(), at: time, text: z.string() })),
  store: z.object({ ok: z.boolean(), reason: z.nullable(z.string()), since: maybeTime }),
  chains: z.array(chainStatus),
});
export type Status = z.infer<typeof status>;

const event = z.object({
  id: count,
  time,
  kind: z.string(),
  chain: z.string(),
  endpoint: z.nullable(z.string()),
  level: z.enum(['info', 'warn', 'alarm']),
  text: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type EventRow = z.infer<typeof event>;

/** One endpoint in full: what it was given, what is switched, what is known, what happened lately. */
const endpointDetail = z.object({
  now: time,
  endpoint: endpointStatus,
  settings: z.object({
    weight: z.number(),
    history: z.enum(['full', 'recent', 'auto']),
    roles: z.array(z.string()),
    broadcast: z.enum(['prefer', 'allow', 'never']),
    labels: z.record(z.string(), z.string()),
    maxInFlight: count,
    rps: maybeNumber,
    allowPrivate: z.boolean(),
    disabled: z.boolean(),
    /** Names only. */
    headers: z.array(z.string()),
  }),
  /** Only of one that was added at runtime. */
  addedAt: maybeTime,
  /** What operators switched; `value` is 0 or 1 but for a weight. `until`: when it goes back by itself. */
  overrides: z.array(
    z.object({
      what: z.enum(['weight', 'disabled', 'draining']),
      value: z.number(),
      since: time,
      until: maybeTime,
    }),
  ),
  /** The most a command may give it. */
  weightBound: z.number(),
  identity: z.object({ state: z.enum(['unproven', 'verified', 'wrong']), claims: z.nullable(z.string()) }),
  /** Methods it said it does not offer, and until when that is remembered. */
  unsupported: z.array(z.object({ method: z.string(), until: maybeTime })),
  /** Newest last. */
  events: z.array(event),
});
export type EndpointDetail = z.infer<typeof endpointDetail>;

const done = z.object({
  /** The state reached; `already` when it was so before. */
  already: z.boolean(),
  text: z.string(),
  endpoint: z.nullable(endpointStatus),
  /** Nothing was changed: the text says what would be. */
  dryRun: z.boolean(),
  /** What somebody should know besides. */
  notes: z.array(z.string()),
});
export type Done = z.infer<typeof done>;

const callResult = z.object({
  status: count,
  /** The answer as it came, as text. */
  body: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type CallResult = z.infer<typeof callResult>;

const who = z.object({ who: z.optional(oneLine(0, 200)) });
const empty = z.object({});

/** One endpoint, and a change of it that a rule may forbid. */
const change = z.extend(who, {
  chain: chainName,
  name: endpointName,
  /** The last usable endpoint of a chain gives way to it; other rules do not. */
  force: z._default(z.boolean(), false),
  dryRun: z._default(z.boolean(), false),
});
/** The switch goes back by itself after so long. */
const forMs = z.optional(z.int().check(z.minimum(1000), z.maximum(366 * 86_400_000)));

/** What an operator may say of an endpoint that is added at runtime. */
const given = {
  history: z.optional(z.enum(['full', 'recent', 'auto'])),
  broadcast: z.optional(z.enum(['prefer', 'allow', 'never'])),
  roles: z.optional(z.array(z.enum(['read', 'broadcast', 'history'])).check(z.minLength(1))),
  labels: z.optional(z.record(label.check(z.minLength(1), z.maxLength(64)), label)),
  maxInFlight: z.optional(z.int().check(z.minimum(1), z.maximum(10_000))),
};
const rps = z.number().check(z.positive(), z.maximum(1_000_000));
const url = z.string().check(z.minLength(1), z.maxLength(4096));
const headers = z._default(
  z.record(z.string().check(z.minLength(1), z.maxLength(128)), z.string().check(z.maxLength(4096))),
  {},
);

/** A route: verb and path, where the request's fields stand (query of a GET, JSON body otherwise), and the answer. */
export interface Route<In extends z.ZodMiniType = z.ZodMiniType, Out extends z.ZodMiniType = z.ZodMiniType>
  extends Place {
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
  status: route({ ...paths.status, input: z.object({ chain: z.optional(chainName) }), output: status }),
  statusStream: route({
    ...paths.statusStream,
    input: z.object({
      intervalMs: z._default(z.coerce.number().check(z.int(), z.minimum(200), z.maximum(60_000)), 1000),
    }),
    output: status,
    stream: true,
  }),
  endpointShow: route({
    ...paths.endpointShow,
    input: z.object({ chain: chainName, name: endpointName }),
    output: endpointDetail,
  }),
  endpointAdd: route({
    ...paths.endpointAdd,
    input: z.extend(who, {
      chain: chainName,
      name: endpointName,
      url,
      headers,
      weight: z.optional(z.int()),
      ...given,
      rps: z.optional(rps),
      dryRun: z._default(z.boolean(), false),
    }),
    output: done,
    changes: true,
  }),
  endpointSet: route({
    ...paths.endpointSet,
    input: z.extend(change, {
      /** `20`; `+10` and `-10`, of the weight in force; `50%`, of the weight it was configured or added with. */
      weight: z.optional(z.string().check(z.maxLength(8))),
      forMs,
      /** Back to what the config says, or what it was added with. */
      reset: z._default(z.boolean(), false),
      ...given,
      /** `null`: unlimited. */
      rps: z.optional(z.nullable(rps)),
    }),
    output: done,
    changes: true,
  }),
  endpointDrain: route({
    ...paths.endpointDrain,
    input: z.extend(change, { forMs }),
    output: done,
    changes: true,
  }),
  endpointEnable: route({ ...paths.endpointEnable, input: change, output: done, changes: true }),
  endpointDisable: route({
    ...paths.endpointDisable,
    input: z.extend(change, { forMs }),
    output: done,
    changes: true,
  }),
  endpointRemove: route({ ...paths.endpointRemove, input: change, output: done, changes: true }),
  test: route({
    ...paths.test,
    input: z.object({
      chain: chainName,
      url: z.optional(url),
      headers,
      /** One of the pool, instead of a URL: nobody but the daemon knows its URL. */
      name: z.optional(endpointName),
      samples: z._default(z.int().check(z.minimum(1), z.maximum(40)), 10),
    }),
    output: examination,
  }),
  call: route({
    ...paths.call,
    input: z.object({
      chain: chainName,
      /** The method, or for TRON a path such as `/wallet/getnowblock`. */
      method: z.string().check(z.minLength(1), z.maxLength(200)),
      /** JSON-RPC params, or for XRPL and TRON the one object. */
      params: z.optional(z.unknown()),
    }),
    output: callResult,
  }),
  explain: route({
    ...paths.explain,
    input: z.object({
      chain: chainName,
      method: z.string().check(z.minLength(1), z.maxLength(200)),
      params: z.optional(z.unknown()),
    }),
    output: explanation,
  }),
  trace: route({
    ...paths.trace,
    input: z.object({ requestId: z.string().check(z.minLength(1), z.maxLength(200)) }),
    output: trace,
  }),
  report: route({
    ...paths.report,
    input: z.object({ sinceMs: queryMs, chain: z.optional(chainName) }),
    output: report,
  }),
  events: route({
    ...paths.events,
    input: z.object({
      sinceMs: z.optional(z.coerce.number()),
      kind: z.optional(z.string()),
      chain: z.optional(chainName),
      endpoint: z.optional(endpointName),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 200),
    }),
    output: z.object({ events: z.array(event) }),
  }),
  eventsStream: route({
    ...paths.eventsStream,
    input: z.object({ kind: z.optional(z.string()), chain: z.optional(chainName) }),
    output: event,
    stream: true,
  }),
  broadcasts: route({
    ...paths.broadcasts,
    input: z.object({
      chain: z.optional(chainName),
      /** Only what is not settled. */
      unknown: queryFlag,
      outcome: z.optional(z.enum(recordedOutcomes)),
      tx: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
      sinceMs: z.optional(queryMs),
      /** Only older attempts than this one: how a list goes on. */
      before: z.optional(z.coerce.number().check(z.int(), z.positive())),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 200),
    }),
    output: broadcasts,
  }),
  broadcastShow: route({
    ...paths.broadcastShow,
    input: z.object({ id: z.coerce.number().check(z.int(), z.positive()) }),
    output: broadcastStory,
  }),
  broadcastSettle: route({
    ...paths.broadcastSettle,
    input: z.extend(who, { id: z.int().check(z.positive()), note: oneLine(1, 1000) }),
    output: z.object({ already: z.boolean(), text: z.string() }),
    changes: true,
  }),
  auditList: route({
    ...paths.auditList,
    input: z.object({
      after: z.optional(z.coerce.number().check(z.int(), z.nonnegative())),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)), 200),
    }),
    output: auditList,
  }),
  auditVerify: route({
    ...paths.auditVerify,
    input: z.object({
      head: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    output: auditVerdict,
  }),
  plan: route({ ...paths.plan, input: empty, output: plan }),
  reload: route({ ...paths.reload, input: who, output: plan, changes: true }),
  logLevel: route({
    ...paths.logLevel,
    input: z.extend(who, { level: z.optional(z.enum(['debug', 'info', 'warn', 'error'])), forMs }),
    output: z.object({ already: z.boolean(), level: z.string(), text: z.string() }),
    changes: true,
  }),
  doctor: route({ ...paths.doctor, input: empty, output: diagnosis }),
  health: route({ ...paths.health, input: empty, output: z.object({ ok: z.boolean() }) }),
} as const satisfies Readonly<Record<keyof typeof paths, Route>>;

export type RouteName = keyof typeof routes;
export type RouteInput<Name extends RouteName> = z.input<(typeof routes)[Name]['input']>;
export type RouteRequest<Name extends RouteName> = z.output<(typeof routes)[Name]['input']>;
export type RouteOutput<Name extends RouteName> = z.output<(typeof routes)[Name]['output']>;

/** An error over the socket, and what `--json` prints on stderr. */
export const errorShape = z.object({
  error: z.object({
    /** Stable; the texts are not. */
    code: z.string(),
    message: z.string(),
    why: z.array(z.string()),
    next: z.array(z.string()),
    /** The exit code. */
    exit: z.number(),
  }),
});
