/** SIGHUP and `rpcgw reload`: takes a changed file, all of it or nothing. The allowlist and the process stay as they are. */

import type { Plan } from '../api/advice-shapes.ts';
import type { Handlers } from '../api/server.ts';
import { rehearse } from '../chains/rehearse.ts';
import { loadConfig } from '../config/load.ts';
import { type Change, plan as planOf } from '../config/plan.ts';
import { problemText } from '../config/problem.ts';
import { type Config, familiesOf } from '../config/settings.ts';
import { OperatorError } from '../core/errors.ts';
import type { Desk } from './admin-desk.ts';
import { tellAdmission } from './admission.ts';
import { poolInputs, withoutChain } from './pool-inputs.ts';

export function reloadHandlers(desk: Desk): Pick<Handlers, 'plan' | 'reload'> {
  const { facts } = desk;
  const { clock, events, logger, store, configPath } = facts;

  /** The daemon reads its own file alone: another one could name secrets that whoever asks must not see. */
  function read(): { readonly file: string; readonly config: Config; readonly changes: readonly Change[] } {
    if (configPath === undefined) {
      throw new OperatorError('config_invalid', 'the daemon was not started from a file');
    }
    const loaded = loadConfig(configPath, facts.env);
    if (!loaded.ok) {
      throw new OperatorError('config_invalid', `${configPath} is not valid`, {
        why: loaded.problems.map(problem => problemText(configPath, problem)),
        next: [`rpcgw check ${configPath}`, 'what runs goes on as it is'],
      });
    }
    return { file: configPath, config: loaded.config, changes: planOf(facts.config(), loaded.config) };
  }

  function note(ok: boolean, text: string): void {
    facts.reloads.last = { ok, at: new Date(clock.wall()).toISOString(), text };
    const [told] = text.split('\n');
    events.emit({ kind: 'reload', chain: '', level: ok ? 'info' : 'alarm', text: told ?? '' });
  }

  async function reload(who: string): Promise<Plan> {
    const entry = { who, action: 'reload', ...(configPath === undefined ? {} : { target: configPath }) };
    try {
      const { file, config, changes } = read();
      const added = store.endpoints.all();
      const before = facts.config();
      const admitted = facts.admit(config.chains);
      const inputs = poolInputs(config.chains, admitted.admitted);
      tellAdmission(events, admitted, facts.admit(before.chains));
      const now = changes.filter(change => !change.needsRestart);
      // Of a family that was there it takes no time.
      rehearse(familiesOf(config));
      if (now.length > 0) await facts.replace(inputs, keepingRestart(before, config));
      for (const { chain, settings } of withoutChain(config.chains, added)) {
        logger.warn('an endpoint added at runtime has no chain in the config, and waits for it', {
          chain,
          endpoint: settings.name,
        });
      }
      const result = told(file, changes, true);
      for (const { text } of changes) logger.info('reload', { change: text });
      note(true, result.text);
      const after = { applied: now.length, needRestart: changes.length - now.length };
      await desk.audit({ ...entry, result: changes.length === 0 ? 'already' : 'done', after });
      return result;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      note(false, `reload refused, what runs goes on: ${error.message}`);
      for (const why of error.why) logger.error('reload refused', { why });
      return desk.refuse(error, entry, false);
    }
  }

  return {
    plan() {
      const { file, config, changes } = read();
      poolInputs(config.chains, facts.admit(config.chains).admitted);
      return told(file, changes, false);
    },
    reload: ({ who = 'unknown' }) => desk.oneAtATime(() => reload(who)),
  };
}

/** What only a restart changes stays what it was, so that the next plan tells of it again. */
function keepingRestart(before: Config, after: Config): Config {
  const hosts = new Map(before.chains.map(chain => [chain.settings.name, chain.allowedHosts]));
  return {
    gateway: before.gateway,
    chains: after.chains.map(chain => ({ ...chain, allowedHosts: hosts.get(chain.settings.name) ?? [] })),
  };
}

function told(file: string, changes: readonly Change[], done: boolean): Plan {
  const now = changes.filter(change => !change.needsRestart).length;
  const later = changes.length - now;
  const applied =
    now === 0
      ? 'nothing to take over'
      : `${now} ${now === 1 ? 'change' : 'changes'} ${done ? 'taken over' : 'would be taken over by a reload'}`;
  const text = `${file}: ${applied}${later === 0 ? '' : `; ${later} ${later === 1 ? 'needs' : 'need'} a restart`}`;
  return {
    file,
    applied: done,
    changes: changes.map(change => ({
      kind: change.kind,
      chain: 'chain' in change ? change.chain : null,
      endpoint: 'endpoint' in change ? change.endpoint : null,
      needsRestart: change.needsRestart,
      text: change.text,
    })),
    text,
  };
}
