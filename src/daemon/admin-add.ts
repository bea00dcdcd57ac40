/** `rpcgw endpoint add` and `remove`: who may come into a pool, and who may leave it. */

import { isIP } from 'node:net';
import type { RouteRequest } from '../api/contract.ts';
import type { Handlers } from '../api/server.ts';
import { headerFaults } from '../config/headers.ts';
import { bareHost } from '../config/hosts.ts';
import { urlFaults } from '../config/url.ts';
import type { EndpointSettings } from '../core/chain.ts';
import { OperatorError } from '../core/errors.ts';
import { shownUrl } from '../core/redact.ts';
import { runtimeWeight, runtimeWeightCap } from '../core/weight.ts';
import type { Chain, ChainInput } from '../gateway/roster.ts';
import { forbidden } from '../io/addresses.ts';
import type { Desk } from './admin-desk.ts';
import { guard } from './admin-guard.ts';
import type { Withheld } from './admission.ts';
import { identityKey } from './identity-key.ts';

type AddRequest = RouteRequest<'endpointAdd'>;

export function addHandlers(desk: Desk): Pick<Handlers, 'endpointAdd' | 'endpointRemove'> {
  const { facts } = desk;
  const { store, clock } = facts;
  const withheld = (chain: string, name: string): Withheld | undefined =>
    facts.admit(facts.config().chains).withheld.find(each => each.chain === chain && each.name === name);

  return {
    endpointAdd: input =>
      desk.oneAtATime(async () => {
        const { chain: chainName, name, who = 'unknown', dryRun } = input;
        const entry = { who, action: 'endpoint add', chain: chainName, target: name };
        const chain = desk.chain(chainName);
        const checked = checkAdd(desk, chain, input);
        if (checked instanceof OperatorError) return desk.refuse(checked, entry, dryRun);
        const kept = withheld(chainName, name);
        if (kept !== undefined) return desk.refuse(nameKept(kept), entry, dryRun);
        const there = findTwin(chain, checked);
        if (there !== undefined && sameSettings(there, checked)) {
          await (dryRun ? undefined : desk.audit({ ...entry, result: 'already' }));
          const text = `${chainName}/${name} is there already`;
          return { already: true, text, endpoint: desk.shown(chainName, name), dryRun, notes: [] };
        }
        if (there !== undefined) return desk.refuse(conflict(chainName, there, checked), entry, dryRun);
        const refused = guard(desk, chain, {
          proposal: {
            origin: 'runtime',
            after: { ...switchedOn, weight: checked.weight, ...abilities(checked) },
          },
          force: false,
          what: `${name} cannot be added to ${chainName}`,
        });
        if (refused !== undefined) return desk.refuse(refused, entry, dryRun);
        const host = shownUrl(checked.url);
        const notes = checked.weight === 0 ? ['its weight is 0: it takes no traffic'] : [];
        if (dryRun) {
          const text = `would add ${chainName}/${name} (${host}), weight ${checked.weight}, in quarantine`;
          return { already: false, text, endpoint: null, dryRun, notes };
        }
        await store.endpoints.put({ chain: chainName, settings: checked, addedAt: clock.wall() });
        facts.apply(withEndpoints(facts.inputs(), chainName, all => [...all, checked]));
        await desk.audit({ ...entry, result: 'done', after: { host, weight: checked.weight } });
        const text = `${chainName}/${name} is added (${host}), weight ${checked.weight}; it earns its place in quarantine: 20 good probes, one a second`;
        return { already: false, text, endpoint: desk.shown(chainName, name), dryRun, notes };
      }),

    endpointRemove: ({ chain: chainName, name, who = 'unknown', force, dryRun }) =>
      desk.oneAtATime(async () => {
        const chain = desk.chain(chainName);
        const entry = { who, action: 'endpoint remove', chain: chainName, target: name };
        if (withheld(chainName, name) !== undefined) {
          const text = `${chainName}/${name}, which was not in use, is removed`;
          if (dryRun) return { ...unused, text: `would remove ${chainName}/${name}`, dryRun };
          await store.endpoints.remove(chainName, name);
          await desk.audit({ ...entry, result: 'done' });
          return { ...unused, text, dryRun };
        }
        if (!isThere(chain, name) && (await wasRemoved(desk, chainName, name))) {
          await (dryRun ? undefined : desk.audit({ ...entry, result: 'already' }));
          return { ...unused, already: true, text: `${chainName}/${name} is removed already`, dryRun };
        }
        const { record } = desk.member(chain, name);
        if (record.settings.origin === 'file') {
          const error = new OperatorError(
            'refused_by_rule',
            `${chainName}/${name} is in the config, and only the file can remove it`,
            {
              next: [
                `remove it from ${facts.configPath ?? 'the config'}, then: rpcgw reload`,
                `or: rpcgw endpoint disable ${chainName} ${name}`,
              ],
            },
          );
          return desk.refuse(error, entry, dryRun);
        }
        const refused = guard(desk, chain, {
          proposal: { record, origin: 'runtime', after: undefined },
          force,
          what: `${chainName}/${name} is not removed`,
          again: `rpcgw endpoint remove ${chainName} ${name} --force`,
        });
        if (refused !== undefined) return desk.refuse(refused, entry, dryRun);
        if (dryRun)
          return {
            already: false,
            text: `would remove ${chainName}/${name}`,
            endpoint: desk.shown(chainName, name),
            dryRun,
            notes: [],
          };
        await store.endpoints.remove(chainName, name);
        facts.apply(withEndpoints(facts.inputs(), chainName, all => all.filter(each => each.name !== name)));
        const before = { host: shownUrl(record.settings.url), weight: record.settings.weight };
        await desk.audit({ ...entry, result: 'done', before });
        const busy = record.inFlight;
        const notes = busy === 0 ? [] : [`${busy} in flight there are let end`];
        return { already: false, text: `${chainName}/${name} is removed`, endpoint: null, dryRun, notes };
      }),
  };
}

function isThere(chain: Chain, name: string): boolean {
  return chain.pool.records.some(({ settings }) => settings.name === name);
}

/** Told by the audit: an endpoint that never was is a mistyped name, not a thing done already. */
async function wasRemoved(desk: Desk, chain: string, name: string): Promise<boolean> {
  let last: string | undefined;
  for (let after = 0; ; ) {
    const rows = await desk.facts.store.audit.list({ after, limit: 1000 });
    for (const row of rows) {
      const about = row.chain === chain && row.target === name && row.result === 'done';
      if (about && /^endpoint (?:add|remove)$/.test(row.action)) last = row.action;
    }
    const newest = rows.at(-1);
    if (newest === undefined || rows.length < 1000) return last === 'endpoint remove';
    after = newest.id;
  }
}

const unused = { already: false, endpoint: null, notes: [] };

function nameKept({ chain, name, why }: Withheld): OperatorError {
  return new OperatorError('conflict', `${chain} has an endpoint ${name} that is not in use`, {
    why: [why],
    next: [`rpcgw endpoint remove ${chain} ${name}`, 'or choose another --name'],
  });
}

const switchedOn = { disabled: false, draining: false };

export function abilities({ roles, broadcast }: Pick<EndpointSettings, 'roles' | 'broadcast'>) {
  return {
    forReads: roles.includes('read') || roles.includes('history'),
    forBroadcasts: roles.includes('broadcast') && broadcast !== 'never',
  };
}

/** The inputs with the endpoints of one chain changed. */
export function withEndpoints(
  inputs: readonly ChainInput[],
  chain: string,
  change: (endpoints: readonly EndpointSettings[]) => readonly EndpointSettings[],
): readonly ChainInput[] {
  return inputs.map(input =>
    input.settings.name === chain ? { ...input, endpoints: change(input.endpoints) } : input,
  );
}

/** Everything that speaks against it, before anything is asked of the network. */
function checkAdd(desk: Desk, chain: Chain, input: AddRequest): EndpointSettings | OperatorError {
  const { name } = input;
  const chainName = chain.settings.name;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) {
    return new OperatorError('usage', `${JSON.stringify(name)} is no endpoint name`, {
      why: ['letters, digits, dot, dash, underscore; 64 at most'],
    });
  }
  const permitted = permit(desk, chain, input);
  if (permitted instanceof OperatorError) return permitted;
  const preferred = notPreferred(input);
  if (preferred !== undefined) return preferred;
  const pool = chain.pool.records.map(record => record.settings);
  const cap = runtimeWeightCap(pool);
  const weight = input.weight ?? runtimeWeight(pool);
  if (weight < 0 || weight > cap) {
    return new OperatorError('refused_by_rule', `a weight of ${weight} is out of bounds`, {
      why: [`at runtime at most ${cap} for ${chainName}: 20, and below the highest weight in the config`],
      next: [`rpcgw endpoint add ${chainName} - --name ${name} --weight ${cap}`],
    });
  }
  return candidateSettings(name, input, permitted.allowPrivate, weight);
}

/** It would draw every broadcast, whatever its weight. */
export function notPreferred({ broadcast }: Pick<AddRequest, 'broadcast'>): OperatorError | undefined {
  if (broadcast !== 'prefer') return undefined;
  return new OperatorError(
    'refused_by_rule',
    'an endpoint added at runtime cannot be preferred for broadcasts',
    {
      why: ['it would get every transaction before the endpoints of the config, whatever its weight'],
      next: ['--broadcast allow', 'or put the endpoint into the config with broadcast: prefer'],
    },
  );
}

export function candidateSettings(
  name: string,
  input: Pick<AddRequest, 'url' | 'headers'> & Partial<AddRequest>,
  allowPrivate: boolean,
  weight: number,
): EndpointSettings {
  return {
    name,
    url: input.url,
    headers: lowerCase(input.headers),
    origin: 'runtime',
    weight,
    history: input.history ?? 'auto',
    roles: input.roles ?? ['read', 'broadcast', 'history'],
    broadcast: input.broadcast ?? 'allow',
    labels: input.labels ?? {},
    maxInFlight: input.maxInFlight ?? 256,
    ...(input.rps === undefined ? {} : { rps: input.rps }),
    allowPrivate,
    disabled: false,
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Whether what is given at runtime may be asked at all. Looks at its text alone: nothing is sent, no name is resolved. */
export function permit(
  desk: Desk,
  chain: Chain,
  { url, headers }: Pick<AddRequest, 'url' | 'headers'>,
): { readonly allowPrivate: boolean } | OperatorError {
  const { allowed } = desk.facts;
  const chainName = chain.settings.name;
  const permitted = URL.canParse(url) ? allowed.permits(chainName, new URL(url)) : undefined;
  // Of a host that is not listed only what no listing could mend is a flaw.
  const [flaw] = urlFaults(url, permitted?.allowPrivate ?? true);
  if (flaw !== undefined) {
    return new OperatorError('refused_by_rule', `the URL is refused: ${flaw}`, {
      next: ['rpcgw endpoint add --help'],
    });
  }
  const [unfit] = headerFaults(headers);
  if (unfit !== undefined) return new OperatorError('refused_by_rule', `a header is refused: ${unfit}`);
  if (permitted !== undefined) {
    const host = bareHost(new URL(url));
    const why = isIP(host) === 0 || permitted.allowPrivate ? undefined : forbidden(host);
    if (why === undefined) return permitted;
    return new OperatorError('refused_by_rule', `${shownUrl(url)} is ${why}; allowPrivate is not set for it`);
  }
  const host = allowed.entryFor(new URL(url));
  const entry = urlFaults(url, false).length === 0 ? host : `{ host: "${host}", allowPrivate: true }`;
  return new OperatorError('refused_by_rule', `${shownUrl(url)} is not on the allowlist of ${chainName}`, {
    why: ['an endpoint can invent what it answers, so only the config says which hosts may be asked'],
    next: [
      `have somebody add to the config, under chains.${chainName}.allowedHosts:  - ${entry}`,
      'and restart the daemon: a reload never widens the allowlist',
    ],
  });
}

/** One of this name, or of this very URL and headers. */
export function findTwin(chain: Chain, wanted: EndpointSettings): EndpointSettings | undefined {
  const all = chain.pool.records.map(record => record.settings);
  const key = identityKey(chain.settings, wanted);
  return (
    all.find(({ name }) => name === wanted.name) ??
    all.find(settings => identityKey(chain.settings, settings) === key)
  );
}

function conflict(chain: string, there: EndpointSettings, wanted: EndpointSettings): OperatorError {
  const from = there.origin === 'file' ? 'from the config' : 'added at runtime';
  if (there.name !== wanted.name) {
    return new OperatorError('conflict', `${chain} has this URL already: it is ${there.name}, ${from}`, {
      why: ['one endpoint must have one name'],
      next: [`rpcgw endpoint show ${chain} ${there.name}`],
    });
  }
  return new OperatorError('conflict', `${chain} has an endpoint ${there.name} with other settings`, {
    why: [`it is ${shownUrl(there.url)}, weight ${there.weight}, ${from}`],
    next: [
      ...(there.origin === 'file' ? [] : [`rpcgw endpoint set ${chain} ${there.name} …`]),
      'or choose another --name',
    ],
  });
}

function sameSettings(a: EndpointSettings, b: EndpointSettings): boolean {
  const comparable = ({ headers, labels, roles, ...rest }: EndpointSettings): string =>
    JSON.stringify([
      Object.entries(rest).sort(),
      Object.entries(headers).sort(),
      Object.entries(labels).sort(),
      [...roles].sort(),
    ]);
  return comparable(a) === comparable(b);
}
