/** `state:stale p95>200 provider:infura eu`: all words must hold; `!` in front turns one around. */

import type { EndpointStatus } from '../api/contract.ts';

type Match = (endpoint: EndpointStatus) => boolean;

export interface Filter {
  readonly match: Match;
  /** What could not be read; the rest of the filter holds all the same. */
  readonly problem: string | undefined;
}

const numbers: Readonly<Record<string, (endpoint: EndpointStatus) => number | null>> = {
  p50: endpoint => endpoint.latencyMs.p50,
  p95: endpoint => endpoint.latencyMs.p95,
  p99: endpoint => endpoint.latencyMs.p99,
  lag: endpoint => endpoint.lag,
  score: endpoint => endpoint.score,
  ok: endpoint => endpoint.success * 100,
  weight: endpoint => endpoint.weight,
  rps: endpoint => endpoint.requestsPerSecond,
  inflight: endpoint => endpoint.inFlight,
  probes: endpoint => endpoint.probesToday,
};

const words: Readonly<Record<string, (endpoint: EndpointStatus) => readonly string[]>> = {
  state: endpoint => [endpoint.state, endpoint.stateText],
  chain: endpoint => [endpoint.chain],
  host: endpoint => [endpoint.host],
  origin: endpoint => [endpoint.origin],
  gate: endpoint => endpoint.gates.map(gate => gate.name),
  tag: endpoint => Object.values(endpoint.labels),
};

const compare: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
};

export function readFilter(text: string): Filter {
  const parts = text.split(/\s+/).filter(word => word !== '');
  const read = parts.map(readWord);
  return {
    match: endpoint => read.every(each => typeof each === 'string' || each(endpoint)),
    problem: read.find(each => typeof each === 'string'),
  };
}

function readWord(given: string): Match | string {
  if (given.startsWith('!') && given.length > 1) {
    const inner = readWord(given.slice(1));
    return typeof inner === 'string' ? inner : endpoint => !inner(endpoint);
  }
  const numeric = /^([a-z0-9]+)(>=|<=|>|<|=)(.*)$/i.exec(given);
  if (numeric !== null) return readNumber(numeric[1] ?? '', numeric[2] ?? '', numeric[3] ?? '');
  const colon = given.indexOf(':');
  if (colon < 1) return containing(anyText, given);
  const key = given.slice(0, colon).toLowerCase();
  // What is no key of ours is the name of a label.
  return containing(words[key] ?? (endpoint => [endpoint.labels[key] ?? '']), given.slice(colon + 1));
}

function readNumber(key: string, sign: string, text: string): Match | string {
  const value = numbers[key.toLowerCase()];
  const wanted = Number(text);
  const holds = compare[sign];
  if (value === undefined) return `${key} is none of ${Object.keys(numbers).join(' ')}`;
  if (text === '' || !Number.isFinite(wanted) || holds === undefined) return `${key}${sign} needs a number`;
  return endpoint => {
    const found = value(endpoint);
    return found !== null && holds(found, wanted);
  };
}

function containing(texts: (endpoint: EndpointStatus) => readonly string[], wanted: string): Match {
  const plain = simple(wanted);
  return endpoint => texts(endpoint).some(text => simple(text).includes(plain));
}

function anyText({ name, chain, host, stateText, reason, labels }: EndpointStatus): readonly string[] {
  return [`${chain}/${name}`, host, stateText, reason ?? '', ...Object.values(labels)];
}

/** `wrong network`, `wrong_network` and `Wrong` are one thing to somebody who types. */
function simple(text: string): string {
  return text.toLowerCase().replaceAll('_', ' ');
}
