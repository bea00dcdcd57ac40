/**
 * Redundancy that is none: endpoints that would fail together count as one. What they share is a guess from the outside
 * (a label, a name, an address), so it is told as such and decides nothing.
 */

import type { FamilyName } from './chain.ts';

export interface Placed {
  readonly name: string;
  readonly host: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Resolved, where somebody has; the more the better. */
  readonly addresses?: readonly string[];
  /** As the endpoint tells it: `Geth/v1.16.4-stable/linux`. */
  readonly client?: string | undefined;
}

export interface Redundancy {
  /** Names of endpoints that share something, directly or through a third. */
  readonly domains: readonly (readonly string[])[];
  /** In words, for `check`, `status` and `report`. */
  readonly notes: readonly string[];
}

/** Labels that stand for something which fails as a whole. */
const sharedLabels = ['provider', 'region', 'asn'] as const;

export function redundancy(family: FamilyName, endpoints: readonly Placed[]): Redundancy {
  const domains = failureDomains(endpoints);
  const notes = [domainNote(endpoints, domains), clientNote(family, endpoints)];
  return {
    domains: domains.map(domain => domain.members.map(({ name }) => name)),
    notes: notes.filter(note => note !== undefined),
  };
}

interface Domain {
  readonly members: readonly Placed[];
  /** One of each kind that a third could share something with: of a hundred at one host a single one is asked. */
  readonly kinds: ReadonlyMap<string, Traits>;
  /** The marks of all of them. */
  readonly marks: ReadonlySet<string>;
  /** Why they are one, in words. */
  readonly shared: ReadonlySet<string>;
}

function failureDomains(endpoints: readonly Placed[]): readonly Domain[] {
  let domains: Domain[] = [];
  for (const endpoint of endpoints) {
    const traits = traitsOf(endpoint);
    const touching = domains.flatMap(domain => {
      if (!traits.marks.some(mark => domain.marks.has(mark))) return [];
      const shared = [...domain.kinds.values()].flatMap(kind => sharedBy(kind, traits));
      return shared.length === 0 ? [] : [{ domain, shared }];
    });
    const own: [string, Traits] = [JSON.stringify(traits), traits];
    const merged: Domain = {
      members: [...touching.flatMap(({ domain }) => domain.members), endpoint],
      // The last one of a kind stands in the place of the first: all that it could share is the same.
      kinds: new Map([...touching.flatMap(({ domain }) => [...domain.kinds]), own]),
      marks: new Set([...touching.flatMap(({ domain }) => [...domain.marks]), ...traits.marks]),
      shared: new Set(touching.flatMap(({ domain, shared }) => [...domain.shared, ...shared])),
    };
    domains = [...domains.filter(domain => !touching.some(each => each.domain === domain)), merged];
  }
  return domains;
}

/** What two can share, read once: each is compared with many. */
interface Traits {
  readonly host: string;
  readonly domain: string | undefined;
  /** Only those that it has. */
  readonly labels: readonly (readonly [key: (typeof sharedLabels)[number], value: string])[];
  readonly addresses: readonly string[];
  /** Two that share something have one of these in common. */
  readonly marks: readonly string[];
}

function traitsOf({ host, labels, addresses = [] }: Placed): Traits {
  const domain = registrableDomain(host);
  const given = sharedLabels.flatMap(key => {
    const value = labels[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  const marks = [
    host,
    ...(domain === undefined ? [] : [domain]),
    ...addresses,
    ...given.map(([, value]) => value),
  ];
  return { host, domain, labels: given, addresses, marks: marks.map(mark => mark.toLowerCase()) };
}

function sharedBy(a: Traits, b: Traits): string[] {
  const shared = a.labels.flatMap(([key, value]) => {
    const same = b.labels.some(([other, its]) => other === key && its.toLowerCase() === value.toLowerCase());
    return same ? [`the ${key === 'asn' ? 'network' : key} ${value}`] : [];
  });
  if (a.host.toLowerCase() === b.host.toLowerCase()) return [...shared, `the host ${a.host}`];
  if (a.domain !== undefined && a.domain === b.domain) return [...shared, `the domain ${a.domain}`];
  const address = a.addresses.find(each => b.addresses.includes(each));
  return address === undefined ? shared : [...shared, `the address ${address}`];
}

function domainNote(endpoints: readonly Placed[], domains: readonly Domain[]): string | undefined {
  const [only] = domains;
  if (domains.length !== 1 || only === undefined) return undefined;
  if (endpoints.length === 1) return `no redundancy: ${only.members[0]?.name} is the only endpoint`;
  const names = only.members.map(({ name }) => name).join(', ');
  return `no redundancy: ${names} share ${[...only.shared].join(', ')}, and would fail together`;
}

/** TRON has one client software, so that naming it would name nothing. */
const oneSoftware: readonly FamilyName[] = ['tron'];

function clientNote(family: FamilyName, endpoints: readonly Placed[]): string | undefined {
  const known = endpoints.flatMap(({ client }) => (client === undefined ? [] : [softwareOf(client)]));
  const kinds = [...new Set(known)];
  const [first] = kinds;
  if (family === 'xrpl' && kinds.includes('clio') && kinds.includes('rippled')) {
    return 'clio and rippled in one pool: a request that names no ledger means the validated one to clio, the current one to rippled';
  }
  if (oneSoftware.includes(family) || kinds.length !== 1 || first === undefined) return undefined;
  return known.length < 2 || known.length < endpoints.length
    ? undefined
    : `one client software: all ${known.length} endpoints run ${first}, so one fault of it hits them all`;
}

function softwareOf(client: string): string {
  return (/^[^/\s]+/.exec(client)?.[0] ?? client).toLowerCase();
}

/** Under a country's own second level (`co.uk`), a name has three parts. Platforms count as one, customers or not. */
const secondLevels = /^(?:ac|co|com|edu|go|gov|ne|net|or|org)$/;

/** The part of a host name that one party registered; undefined for addresses and bare names. */
export function registrableDomain(host: string): string | undefined {
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const top = labels.at(-1) ?? '';
  if (labels.length < 2 || !/^[a-z]/.test(top)) return undefined;
  const deep = top.length === 2 && secondLevels.test(labels.at(-2) ?? '');
  const parts = labels.slice(deep ? -3 : -2);
  return deep && parts.length < 3 ? undefined : parts.join('.');
}
