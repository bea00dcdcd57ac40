/** What every admin handler works with: the facts of the daemon, one change at a time, and a row for each. */

import type { Done, Status } from '../api/contract.ts';
import { nearest } from '../config/nearest.ts';
import type { Config, ConfiguredChain } from '../config/settings.ts';
import type { ChainSettings, EndpointSettings } from '../core/chain.ts';
import { OperatorError } from '../core/errors.ts';
import { withoutUrls } from '../core/redact.ts';
import type { Dispatch } from '../gateway/dispatch.ts';
import type { Clock, Events } from '../gateway/ports.ts';
import type { Prober } from '../gateway/probe.ts';
import type { Chain, ChainInput, Member, Roster } from '../gateway/roster.ts';
import type { Logger } from '../io/logger.ts';
import type { AuditEntry } from '../store/audit.ts';
import type { Store } from '../store/open.ts';
import { type Admission, admissionNotes } from './admission.ts';
import type { Allowlist } from './allowlist.ts';
import type { MinuteKeeper } from './minutes.ts';
import { endpointStatus, type StatusFacts } from './status.ts';
import type { SwitchKeeper } from './switch-keeper.ts';
import type { Counters } from './telemetry.ts';

export interface AdminFacts {
  readonly roster: () => Roster;
  readonly inputs: () => readonly ChainInput[];
  /** In force: what a reload left as it was is the old. */
  readonly config: () => Config;
  /** Builds the next roster from these and swaps. Throws, and leaves all as it is, when that cannot be. */
  readonly apply: (inputs: readonly ChainInput[], config?: Config) => void;
  /** The same for a whole config; waits for new endpoints where a chain would be left without any otherwise. */
  readonly replace: (inputs: readonly ChainInput[], config: Config) => Promise<void>;
  readonly switches: SwitchKeeper;
  readonly store: Store;
  readonly allowed: Allowlist;
  /** Which stored endpoints may be in the pools of these chains. */
  readonly admit: (chains: readonly ConfiguredChain[]) => Admission;
  readonly clock: Clock;
  readonly prober: Prober;
  /** Asks for `rpcgw test`: tells no events, keeps nothing in mind. */
  readonly examiner: Prober;
  /** A chain of this one endpoint, in no roster. */
  readonly candidate: (chain: ChainSettings, endpoint: EndpointSettings) => { chain: Chain; member: Member };
  readonly counters: Counters;
  /** What the last reload came to. */
  readonly reloads: { last: Status['lastReload'] };
  /** Looks up a transaction no more. */
  readonly unfollow: (chain: string, txId: string) => void;
  readonly minutes: MinuteKeeper;
  readonly events: Events;
  readonly version: string;
  readonly startedAtMs: number;
  readonly url: string;
  readonly configPath: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly draining: () => boolean;
  readonly dispatch: Dispatch;
  readonly logger: Logger;
}

export interface Desk {
  readonly facts: AdminFacts;
  readonly statusFacts: StatusFacts;
  /** Changes wait for one another, whether the one before went well or not. */
  oneAtATime<T>(change: () => Promise<T>): Promise<T>;
  chain(name: string): Chain;
  member(chain: Chain, name: string): Member;
  /** As it is now; null when it is not there. */
  shown(chain: string, name: string): Done['endpoint'];
  audit(entry: AuditEntry): Promise<void>;
  /** A refusal is a row as well, but for a dry run. */
  refuse(error: OperatorError, entry: Omit<AuditEntry, 'result'>, dryRun: boolean): Promise<never>;
}

export function openDesk(facts: AdminFacts): Desk {
  const { store, clock, roster } = facts;
  let changing: Promise<unknown> = Promise.resolve();
  const statusFacts: StatusFacts = {
    clock,
    clientOf: facts.prober.clientOf.bind(facts.prober),
    admissionNotes: chain => admissionNotes(facts.admit(facts.config().chains), chain),
  };

  /** A URL in the place of a name would stay in the table and in the log for ever. */
  async function audit({ who, target, ...given }: AuditEntry): Promise<void> {
    const entry: AuditEntry = {
      ...given,
      who: withoutUrls(who),
      ...(target === undefined ? {} : { target: withoutUrls(target) }),
    };
    const { id, hash } = await store.audit.append(entry);
    facts.logger.info('audit', {
      row: id,
      hash,
      who: entry.who,
      action: entry.action,
      ...(entry.chain === undefined ? {} : { chain: entry.chain }),
      ...(entry.target === undefined ? {} : { target: entry.target }),
      result: entry.result,
    });
  }

  return {
    facts,
    statusFacts,
    oneAtATime(change) {
      const turn = changing.then(change, change);
      changing = turn;
      return turn;
    },
    chain(name) {
      const chain = roster().chains.get(name);
      if (chain !== undefined) return chain;
      const names = [...roster().chains.keys()];
      const close = nearest(name, names);
      throw new OperatorError('no_such_chain', `there is no chain ${name}`, {
        why: [`the config has ${names.join(', ')}`],
        next: close === undefined ? ['rpcgw status'] : [`did you mean ${close}?`],
      });
    },
    member(chain, name) {
      const found = [...chain.members.values()].find(({ record }) => record.settings.name === name);
      if (found !== undefined) return found;
      const chainName = chain.settings.name;
      const names = chain.pool.records.map(record => record.settings.name);
      const close = nearest(name, names);
      throw new OperatorError('no_such_endpoint', `${chainName} has no endpoint ${name}`, {
        why: [names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`],
        next: close === undefined ? [`rpcgw endpoint list ${chainName}`] : [`did you mean ${close}?`],
      });
    },
    shown(chainName, name) {
      const chain = roster().chains.get(chainName);
      const member = chain && [...chain.members.values()].find(({ record }) => record.settings.name === name);
      return chain === undefined || member === undefined ? null : endpointStatus(chain, member, statusFacts);
    },
    audit,
    async refuse(error, entry, dryRun) {
      if (!dryRun) await audit({ ...entry, result: 'refused', note: error.message });
      throw error;
    },
  };
}
