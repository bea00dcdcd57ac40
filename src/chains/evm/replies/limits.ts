/** Caps that the caller can stay under, plans, rates, used-up allowances. */

import { planWords } from '../../offer-words.ts';
import { authWords, quotaWords, speedWords } from '../../words.ts';
import type { EvmFacts } from '../facts.ts';
import {
  addressRequired,
  ahead,
  archive,
  batchCap,
  foreignChain,
  gone,
  malformed,
  nodeTime,
  noMethod,
  offered,
  partOfMethod,
  plan,
  tooWide,
  trouble,
} from '../words.ts';
import { type EvmRule, isError, isSlow, names, ofRate, says, speaks } from './saying.ts';

const usedUp = /exceed|reached|exhausted|used up|too many|ran out|out of/;

/** A method that a better plan has, and not an allowance that is gone. */
function isOfPlan(f: EvmFacts): boolean {
  return (
    (says(f, plan) || says(f, planWords)) &&
    (says(f, offered) || says(f, planWords)) &&
    (names(f) || says(f, noMethod) || f.traces || /\bmethods?\b/.test(f.text)) &&
    !says(f, usedUp)
  );
}

/** What ran out of time may still be told to ask for less. */
const narrower = /\b(?:range|narrow|reduc|smaller|shorten|fewer|results?|exceed)/;

export const caps: readonly EvmRule[] = [
  {
    id: 'evm.batch_cap',
    stage: 'words',
    signal: 'text: too many calls in a batch',
    when: f => isError(f) && says(f, batchCap) && !/\brate.?limit/.test(f.text),
    verdict: 'app_error',
    tx: 'unknown',
    why: "the caller's batch is too long",
    fixture: 'batch-size-code-32005',
  },
  {
    id: 'evm.too_wide',
    stage: 'words',
    signal: 'text about a range, or too many blocks, results, addresses, bytes',
    when: f =>
      isError(f) &&
      says(f, tooWide) &&
      !says(f, ahead) &&
      (f.logs || f.traces || !nodeTime.test(f.text) || narrower.test(f.text)) &&
      !/\bproofs?\b/.test(f.text) &&
      !(says(f, speedWords) && !/\brange|block|result|response size/.test(f.text)),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'over a cap that the caller can stay under',
    fixture: 'logs-ankr-too-wide',
  },
];

export const plans: readonly EvmRule[] = [
  {
    id: 'evm.free_tier_time',
    stage: 'words',
    signal: 'text: a timeout of the free tier, or under code 30',
    when: f =>
      speaks(f) && nodeTime.test(f.text) && (f.code === 30 || (/free/.test(f.text) && says(f, plan))),
    verdict: 'rate_limited',
    why: 'worded as a timeout, used as a throttle',
    fixture: 'rate-drpc-free-tier-timeout',
  },
  {
    id: 'evm.foreign_chain',
    stage: 'words',
    signal: 'text: the chain is not in the plan, the key is for another one',
    when: f => speaks(f) && says(f, foreignChain) && !names(f),
    verdict: 'auth_refused',
    why: 'nothing of this chain can be had with this key',
    fixture: 'auth-blockpi-other-chain',
  },
  {
    id: 'evm.archive_plan_traces',
    stage: 'words',
    signal: 'text: archive, debug and trace are not in the plan',
    only: 'tracing methods',
    when: f => speaks(f) && f.traces && says(f, archive) && /debug|trac/.test(f.text) && says(f, offered),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'the tracing part of the text applies',
    fixture: 'unsup-plan-trace-block',
  },
  {
    id: 'evm.archive',
    stage: 'words',
    signal: 'text about archive data or nodes',
    when: f =>
      speaks(f) && says(f, archive) && (f.past || says(f, offered) || says(f, plan)) && !says(f, quotaWords),
    verdict: 'missing_history',
    why: 'old state is not kept here, or not for us',
    fixture: 'infura-archive-403',
  },
  {
    id: 'evm.address_required',
    stage: 'words',
    signal: 'text: name an address',
    only: 'logs',
    when: f => isError(f) && f.logs && says(f, addressRequired),
    verdict: 'unsupported',
    why: 'others answer logs without an address',
    fixture: 'unsup-allnodes-address-required',
  },
  {
    id: 'evm.plan_part',
    stage: 'words',
    signal: 'text: a parameter, a range, an option of the method is not in the plan',
    when: f => speaks(f) && isOfPlan(f) && partOfMethod.test(f.text),
    verdict: 'unsupported',
    why: 'others may take it; the method itself is there',
    fixture: 'plan-override',
  },
  {
    id: 'evm.plan_method',
    stage: 'words',
    signal: 'text: the method is not in the plan',
    when: f => speaks(f) && isOfPlan(f),
    verdict: 'unsupported',
    wholeMethod: true,
    why: 'a better plan has this method',
    fixture: 'unsup-alchemy-free-tier-trace',
  },
];

export const rates: readonly EvmRule[] = [
  {
    id: 'evm.quota',
    stage: 'words',
    signal: 'text: a quota, an allowance, a capacity is used up',
    when: f => speaks(f) && !nodeTime.test(f.text) && says(f, quotaWords),
    verdict: 'rate_limited',
    quota: true,
    why: 'the allowance of a day, a month or a plan is used up, whatever the status',
    fixture: 'rate-alchemy-monthly-403',
  },
  {
    id: 'evm.slow_down',
    stage: 'words',
    signal: 'text of a rate',
    when: f => speaks(f) && !isSlow(f) && says(f, speedWords),
    verdict: 'rate_limited',
    why: 'too fast',
    fixture: 'rate-qps',
  },
  {
    id: 'evm.limit_exceeded',
    stage: 'words',
    signal: 'text: limit exceeded, and of what is not said; codes of rates without words of trouble',
    when: f =>
      speaks(f) &&
      !isSlow(f) &&
      (/limit ?(?:is |was |has been )?(?:exceed|reached|hit)|exceed\w* (?:\S+ ){0,2}limit|upgrade your (?:plan|tier|account)/.test(
        f.text,
      ) ||
        (ofRate(f) &&
          f.status < 500 &&
          !says(f, authWords) &&
          !says(f, gone) &&
          !says(f, trouble) &&
          !says(f, malformed))),
    verdict: 'rate_limited',
    why: 'a limit that another endpoint may not have',
    fixture: 'rate-bsc-getlogs-bare',
  },
];
