/**
 * What the values of a config say together: names that meet, identities, who may connect. Works on the values before they
 * are known to have the right shape, so that one wrong unit does not hide a chain that is configured twice.
 */

import { familyFacts, presetOf, presets } from '../chains/presets.ts';
import { hostPort, isLoopback, parseAddress } from './hosts.ts';
import { nearest } from './nearest.ts';
import { hostFindings, poolFindings } from './pool-checks.ts';
import { type Finding, shownKey } from './problem.ts';
import { isTable, listOf, type Table } from './table.ts';

/** Paths the gateway answers itself (contract section 2). */
const ownPaths = ['livez', 'readyz', 'metrics'];

export function crossChecks(config: unknown): readonly Finding[] {
  if (!isTable(config)) return [];
  return [...listenerFindings(config), ...chainsFindings(config.chains)];
}

function listenerFindings({ listen, metrics, clients, socket }: Table): Finding[] {
  const found: Finding[] = [];
  const address = typeof listen === 'string' ? parseAddress(listen) : undefined;
  if (address !== undefined && !isLoopback(address.host) && clients === undefined) {
    found.push({
      path: ['listen'],
      message: 'others than this machine reach this address, so it needs clients: with keys or cidrs',
      hint: 'or listen on 127.0.0.1',
    });
  }
  if (isTable(clients) && listOf(clients.keys).length + listOf(clients.cidrs).length === 0) {
    found.push({ path: ['clients'], message: 'expected keys or cidrs: as it stands nobody could come in' });
  }
  const own = address === undefined ? '127.0.0.1:8600' : hostPort(address.host, address.port);
  const other = typeof metrics === 'string' ? parseAddress(metrics) : undefined;
  if (other !== undefined && other.port !== 0 && hostPort(other.host, other.port) === own) {
    found.push({ path: ['metrics'], message: 'expected another address than that of listen' });
  }
  // Of a relative path the folder counts too, but that is not known here; the listener says so then.
  if (typeof socket === 'string' && new TextEncoder().encode(socket).length > 103) {
    found.push({ path: ['socket'], message: 'a path of more than 103 bytes is too long for a socket' });
  }
  return found;
}

function chainsFindings(chains: unknown): Finding[] {
  if (!isTable(chains)) return [];
  const tables = Object.entries(chains).flatMap(([name, chain]) => (isTable(chain) ? [{ name, chain }] : []));
  return [
    ...(Object.keys(chains).length === 0
      ? [{ path: ['chains'], message: 'expected at least one chain' }]
      : []),
    ...Object.keys(chains).flatMap(nameFindings),
    ...pathFindings(Object.keys(chains), tables),
    ...tables.flatMap(({ name, chain }) => identityFindings(name, chain)),
    ...twinFindings(tables),
    ...tables.flatMap(({ name, chain }) => [
      ...poolFindings(['chains', name, 'endpoints'], listOf(chain.endpoints)),
      ...hostFindings(['chains', name, 'allowedHosts'], listOf(chain.allowedHosts)),
    ]),
  ];
}

function nameFindings(name: string): Finding[] {
  const path = ['chains', name];
  if (ownPaths.includes(name))
    return [{ path, atKey: true, message: 'the gateway answers this path itself' }];
  if (/^[a-z][a-z0-9_-]{0,31}$/.test(name)) return [];
  const message =
    'a chain’s name begins with a small letter; small letters, digits, dashes and underscores follow';
  return [{ path, atKey: true, message }];
}

/** A path must lead to one chain, and none may lie below another: TRON's own paths begin there. */
function pathFindings(
  names: readonly string[],
  tables: readonly { name: string; chain: Table }[],
): Finding[] {
  const found: Finding[] = [];
  const taken = new Map(names.map(name => [name, `the chain ${shownKey(name)}`]));
  for (const { name, chain } of tables) {
    for (const [index, given] of listOf(chain.aliases).entries()) {
      if (typeof given !== 'string') continue;
      const alias = given.replace(/^\//, '');
      const path = ['chains', name, 'aliases', index];
      const same =
        taken.get(alias) ??
        (alias === name || presetOf(alias) === undefined ? undefined : `the known chain ${alias}`);
      const near = [...taken].find(
        ([other]) => other.startsWith(`${alias}/`) || alias.startsWith(`${other}/`),
      );
      if (ownPaths.includes(alias.split('/')[0] ?? ''))
        found.push({ path, message: 'the gateway answers this path itself' });
      else if (same !== undefined) found.push({ path, message: `this is the path of ${same}` });
      else if (near !== undefined)
        found.push({ path, message: `one of this path and that of ${near[1]} lies below the other` });
      else taken.set(alias, `an alias of ${shownKey(name)}`);
    }
  }
  return found;
}

function identityFindings(name: string, chain: Table): Finding[] {
  const known = presetOf(name);
  const family = familyOf(name, chain);
  const at = ['chains', name];
  if (family === undefined) {
    if (chain.family !== undefined) return [];
    const meant = nearest(name, Object.keys(presets));
    return [
      {
        path: at,
        atKey: true,
        message:
          'not a known chain, so it needs a family, and with it chainId, genesisHash, networkId or genesisBlock',
        hint:
          meant === undefined ? `known are ${Object.keys(presets).join(', ')}` : `did you mean "${meant}"?`,
      },
    ];
  }
  const found: Finding[] = [];
  const { identityKey, identityName } = familyFacts[family];
  const other = 'another network needs another name';
  if (known !== undefined && chain.family !== undefined && chain.family !== known.family) {
    found.push({
      path: [...at, 'family'],
      message: `${name} is a known chain of the family ${known.family}`,
      hint: other,
    });
  }
  for (const [foreign, facts] of Object.entries(familyFacts)) {
    if (foreign !== family && chain[facts.identityKey] !== undefined) {
      const message = `only ${foreign} chains have a ${facts.identityKey}; of ${family} chains it is the ${identityKey}`;
      found.push({ path: [...at, facts.identityKey], atKey: true, message });
    }
  }
  const given = chain[identityKey];
  if (known === undefined && given === undefined) {
    const message = `missing: a chain that is not a known one needs its ${identityName}, which every endpoint must prove`;
    found.push({ path: [...at, identityKey], message });
  }
  if (known !== undefined && given !== undefined && String(given) !== known.identity) {
    const message = `${name} is the network whose ${identityName} is ${known.identity}`;
    found.push({ path: [...at, identityKey], message, hint: other });
  }
  return found;
}

/** Two names for one network would keep two records of what was sent to it. */
function twinFindings(tables: readonly { name: string; chain: Table }[]): Finding[] {
  const first = new Map<string, string>();
  return tables.flatMap(({ name, chain }): Finding[] => {
    const family = familyOf(name, chain);
    if (family === undefined) return [];
    const identity = presetOf(name)?.identity ?? chain[familyFacts[family].identityKey];
    if (typeof identity !== 'string' && typeof identity !== 'number') return [];
    const network = `${family} ${identity}`;
    const twin = first.get(network);
    if (twin === undefined) {
      first.set(network, name);
      return [];
    }
    const message = `the same network as ${shownKey(twin)}: a transaction could be sent through both`;
    return [{ path: ['chains', name], atKey: true, message, hint: `put one under the other's aliases` }];
  });
}

function familyOf(name: string, { family }: Table): keyof typeof familyFacts | undefined {
  const known = presetOf(name);
  if (known !== undefined) return known.family;
  return family === 'evm' || family === 'solana' || family === 'xrpl' || family === 'tron'
    ? family
    : undefined;
}
