/** `rpcgw doctor`, the daemon's part: what is wrong here, in order of importance. */

import type { Finding } from '../api/advice-shapes.ts';
import type { EndpointStatus } from '../api/contract.ts';
import type { Handlers } from '../api/server.ts';
import { spanText } from '../config/units.ts';
import { firstAsk } from '../core/place.ts';
import { redundancy } from '../core/redundancy.ts';
import { preview } from '../core/select.ts';
import type { Chain } from '../gateway/roster.ts';
import { memberOf } from '../gateway/roster.ts';
import type { Desk } from './admin-desk.ts';
import { limitFindings, type Resolved, resolveHosts, rightsFindings } from './doctor-host.ts';
import { endpointStatus, mayTakeReads, usable } from './status.ts';

/** Blocks are made a little ahead of time on some chains; more than this is a clock. */
const aheadMs = 5_000;

const levels: Readonly<Record<EndpointStatus['state'], Finding['level'] | undefined>> = {
  wrong_network: 'fault',
  api_only: 'fault',
  auth_refused: 'fault',
  down: 'fault',
  not_verified: 'warn',
  half_open: 'warn',
  stale: 'warn',
  cooling: 'warn',
  slow: 'warn',
  busy: 'warn',
  quarantine: 'note',
  draining: 'note',
  disabled: 'note',
  healthy: undefined,
};

export function doctorHandlers(
  desk: Desk,
  places: { readonly dataDir: string; readonly socket: string; readonly shared: boolean },
): Pick<Handlers, 'doctor'> {
  const { facts } = desk;
  return {
    async doctor() {
      const chains = [...facts.roster().chains.values()];
      const hosts = await resolveHosts(
        chains.flatMap(chain =>
          chain.pool.records.map(({ settings }) => ({
            host: hostOf(settings.url),
            allowPrivate: settings.allowPrivate,
          })),
        ),
      );
      const unsettled = await facts.store.broadcasts.unsettled();
      const findings = [
        ...storeFindings(desk),
        ...chains.flatMap(chain => chainFindings(desk, chain)),
        ...Object.entries(unsettled).map(
          ([chain, count]): Finding => ({
            level: 'fault',
            subject: chain,
            text: `${count} ${count === 1 ? 'broadcast has' : 'broadcasts have'} an outcome that is not known`,
            next: `rpcgw broadcasts --unknown --chain ${chain}`,
          }),
        ),
        ...rightsFindings({ ...places, configPath: facts.configPath }),
        ...reloadFindings(desk),
        ...(await clockFindings(desk, chains)),
        ...chains.flatMap(chain => endpointFindings(desk, chain, hosts)),
        ...limitFindings(),
        ...chains.flatMap(chain => redundancyFindings(desk, chain, hosts)),
        ...switchFindings(desk),
        ...unknownAnswers(desk),
      ];
      return {
        ok: findings.every(({ level }) => level === 'note'),
        findings: byLevel(findings),
        checked: [
          'store',
          'chains',
          'broadcasts',
          'rights',
          'reload',
          'clock',
          'endpoints',
          'names',
          'file limits',
          'redundancy',
        ],
      };
    },
  };
}

function byLevel(findings: readonly Finding[]): Finding[] {
  const order: readonly Finding['level'][] = ['fault', 'warn', 'note'];
  return [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

function storeFindings({ facts }: Desk): Finding[] {
  const { state, counters } = facts.store;
  const found: Finding[] = [];
  if (state.is === 'failing') {
    const text = `rows cannot be written, so broadcasts are refused: ${state.reason}`;
    found.push({ level: 'fault', subject: 'store', text, next: 'df -h; look at the rights of dataDir' });
  }
  if (counters.lost > 0)
    found.push({
      level: 'warn',
      subject: 'store',
      text: `${counters.lost} rows were given up since the start`,
      next: 'look for "given up" in the log',
    });
  return found;
}

function reloadFindings({ facts }: Desk): Finding[] {
  const lastReload = facts.reloads.last;
  if (lastReload === null || lastReload.ok) return [];
  return [{ level: 'warn', subject: 'config', text: lastReload.text, next: 'rpcgw check --against-running' }];
}

function chainFindings({ facts }: Desk, chain: Chain): Finding[] {
  const now = facts.clock.now();
  const { name } = chain.settings;
  const next = `rpcgw status ${name}`;
  const open = usable(chain, now);
  const found: Finding[] = [];
  if (open === 0) {
    found.push(
      mayTakeReads(chain, now)
        ? { level: 'fault', subject: name, text: 'only last resorts are left', next }
        : { level: 'fault', subject: name, text: 'no endpoint may take reads', next },
    );
  } else if (open === 1 && chain.pool.records.length > 1) {
    found.push({ level: 'warn', subject: name, text: 'no spare left: one usable endpoint', next });
  }
  if (chain.pool.head.oldSince !== undefined)
    found.push({
      level: 'fault',
      subject: name,
      text: 'the chain stands still: no endpoint has a newer block',
      next,
    });
  return found;
}

function endpointFindings(desk: Desk, chain: Chain, hosts: ReadonlyMap<string, Resolved>): Finding[] {
  return [...chain.members.values()].flatMap(member => {
    const status = endpointStatus(chain, member, desk.statusFacts);
    const subject = `${status.chain}/${status.name}`;
    const level = levels[status.state];
    const found: Finding[] = [];
    const name = hosts.get(hostOf(member.record.settings.url))?.fault;
    if (name !== undefined)
      found.push({ level: 'fault', subject, text: name, next: 'correct its host, or look at the resolver' });
    if (level !== undefined) {
      const text = `${status.stateText}: ${status.reason ?? ''}`;
      const next = status.next ?? `rpcgw endpoint show ${status.chain} ${status.name}`;
      found.push({ level, subject, text, next });
    }
    return found;
  });
}

function redundancyFindings(desk: Desk, chain: Chain, hosts: ReadonlyMap<string, Resolved>): Finding[] {
  const placed = chain.pool.records.map(record => ({
    name: record.settings.name,
    host: hostOf(record.settings.url),
    labels: record.settings.labels,
    addresses: hosts.get(hostOf(record.settings.url))?.addresses ?? [],
    client: desk.statusFacts.clientOf(record),
  }));
  return redundancy(chain.family.name, placed).notes.map(text => ({
    level: 'note',
    subject: chain.settings.name,
    text,
    next: null,
  }));
}

/** The newest block that the best endpoint of each chain shows, held against this host's clock. */
async function clockFindings({ facts }: Desk, chains: readonly Chain[]): Promise<Finding[]> {
  const skews = await Promise.all(
    chains.map(async chain => {
      const record = preview(chain.pool, { class: 'read', method: '' }, firstAsk, facts.clock.now());
      if (record === undefined) return undefined;
      const { told } = await facts.prober.ask(
        chain,
        memberOf(chain, record),
        'height',
        chain.family.probes.head,
      );
      return told?.blockTimeMs === undefined ? undefined : told.blockTimeMs - facts.clock.wall();
    }),
  );
  const known = skews.filter(skew => skew !== undefined);
  const ahead = Math.max(...known);
  if (known.length === 0 || ahead <= aheadMs) return [];
  return [
    {
      level: 'fault',
      subject: 'clock',
      text: `blocks come from the future, so this host's clock is slow by ${spanText(Math.round(ahead / 1000) * 1000)} or more`,
      next: 'timedatectl status',
    },
  ];
}

function switchFindings({ facts }: Desk): Finding[] {
  const wall = facts.clock.wall();
  return facts.store.overrides
    .all()
    .filter(({ until, chain }) => (until === undefined || until > wall) && facts.roster().chains.has(chain))
    .map(({ chain, endpoint, what, value, until }) => ({
      level: 'note',
      subject: `${chain}/${endpoint}`,
      text: `${what === 'weight' ? `weight ${value}` : `${what} ${value === 1 ? 'on' : 'off'}`} by an operator${
        until === undefined ? ', for good' : `, until ${new Date(until).toISOString()}`
      }`,
      next: `rpcgw endpoint set ${chain} ${endpoint} --reset`,
    }));
}

function unknownAnswers({ facts }: Desk): Finding[] {
  return facts.counters.unclassifiedCounts().map(({ chain, endpoint, count }) => ({
    level: 'note',
    subject: `${chain}/${endpoint}`,
    text: `${count} ${count === 1 ? 'answer' : 'answers'} that no rule knows`,
    next: `rpcgw events --kind unclassified --chain ${chain}`,
  }));
}

function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}
