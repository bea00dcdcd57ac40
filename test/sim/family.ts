/**
 * A family without bytes: calls and answers are values that travel beside empty bodies. What a family would read out of
 * a text stands here as a field, so that hours of traffic cost next to nothing and no rule table is in the way.
 */

import type { Call, Family, Method, Probes } from '../../src/chains/family.ts';
import type { HistoryKind } from '../../src/core/chain.ts';
import type { Need } from '../../src/core/need.ts';
import type { Verdict } from '../../src/core/verdict.ts';

export type Question = 'height' | 'identity' | 'builds' | 'facts';

export interface SimCall extends Call {
  /** The gateway asks for itself. */
  readonly own: Question | undefined;
  readonly need: Need;
  /** What it looks up: a height, whose absence a node below it answers with "no such thing". */
  readonly looksFor: number | undefined;
  /** The oldest height it reads, of this kind. */
  readonly reads: { readonly kind: HistoryKind; readonly height: number } | undefined;
  /** An answer shows the node's head. */
  readonly showsHead: boolean;
  /** The answer is larger than what is held. */
  readonly large: boolean;
}

/** What a node said to one call. */
export interface Said {
  readonly verdict: Verdict;
  readonly rule: string;
  readonly height?: number;
  /** Wall clock ms. */
  readonly headBornAt?: number;
  readonly claims?: string;
  readonly told?: boolean;
  readonly absent?: boolean;
  readonly retryAfterMs?: number;
  readonly quota?: true;
  readonly wholeMethod?: true;
  readonly filter?: string;
}

/** Bytes that carry their meaning beside them. */
interface Marked extends Uint8Array {
  calls?: readonly SimCall[];
  said?: readonly Said[];
}

const noSpec: Method = { kind: 'read' };

export function createCall(
  method: string,
  need: Need,
  more: Partial<Omit<SimCall, 'method' | 'need' | 'text'>> = {},
): SimCall {
  const text: Marked = new Uint8Array(1);
  const call: SimCall = {
    method,
    need,
    spec: noSpec,
    id: '1',
    text,
    paramsAt: -1,
    paramsEnd: -1,
    verb: 'POST',
    path: '',
    own: undefined,
    looksFor: undefined,
    reads: undefined,
    showsHead: false,
    large: false,
    ...more,
  };
  text.calls = [call];
  return call;
}

/** The calls of one upstream body. */
export function callsIn(body: Marked | undefined): readonly SimCall[] {
  const calls = body?.calls;
  if (calls === undefined) throw new Error('the gateway sent a body that nobody gave it');
  return calls;
}

export function bodyOf(said: readonly Said[]): Uint8Array {
  const body: Marked = new Uint8Array(1);
  body.said = said;
  return body;
}

/** Undefined: no node sent it. */
export function nodeSaid(body: Marked): Said | undefined {
  return body.said?.[0];
}

function saidBy(body: Uint8Array): Said {
  const said = nodeSaid(body);
  if (said === undefined) throw new Error('the gateway judges a body that no node sent');
  return said;
}

/** The last byte of a large answer that says its end is broken. */
export const brokenEnd = 1;

function own<T>(question: Question, method: string, read: (said: Said) => T | undefined, more = {}) {
  const call = createCall(method, { class: 'read', method }, { own: question, ...more });
  return { call, read: (body: Uint8Array) => read(saidBy(body)) };
}

function probes(builds: boolean): Probes {
  return {
    head: own(
      'height',
      'head',
      ({ height, headBornAt }) =>
        height === undefined
          ? undefined
          : { height, ...(headBornAt === undefined ? {} : { blockTimeMs: headBornAt }) },
      { showsHead: true },
    ),
    identity: [own('identity', 'identity', said => said.claims)],
    historyKinds: ['state'],
    history: (kind, height) => own('facts', `keeps ${kind}`, said => said.told, { reads: { kind, height } }),
    client: own('facts', 'client', () => 'sim/1'),
    ...(builds ? { builds: [own('builds', 'builds', said => said.told)] } : {}),
  };
}

function createFamily(name: 'evm' | 'tron'): Family {
  return {
    name,
    methods: {},
    rules: [],
    open: () => ({ form: 'silent' }),
    need: call => sim(call).need,
    judge(_call, { body }) {
      const { verdict, rule, retryAfterMs, quota, wholeMethod } = saidBy(body);
      return {
        verdict,
        rule,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(quota ? { quota } : {}),
        ...(wholeMethod ? { wholeMethod } : {}),
      };
    },
    peek: () => 'commit',
    tail: (_call, last) => (last.at(-1) === brokenEnd ? 'its end is broken' : undefined),
    headOf: (call, body) => (sim(call).showsHead ? saidBy(body).height : undefined),
    absent: (_call, body) => saidBy(body).absent === true,
    filterMade: (_call, body) => saidBy(body).filter,
    transaction: noBroadcasts,
    readdress: noBroadcasts,
    knownReply: noBroadcasts,
    answeredId: noBroadcasts,
    followUp: { spent: noBroadcasts, look: noBroadcasts },
    fault: (_call, fault) => fault.reason,
    join(calls) {
      const body: Marked = new Uint8Array(1);
      body.calls = calls.map(sim);
      return body;
    },
    split: (_calls, body: Marked) => body.said?.map(said => bodyOf([said])),
    probes: probes(name === 'tron'),
  };
}

function noBroadcasts(): never {
  throw new Error('no broadcasts here');
}

/** Every call in a simulation was made by `createCall`. */
function sim(call: Call): SimCall {
  return call as SimCall;
}

export const simFamilies = { evm: createFamily('evm'), tron: createFamily('tron') };
