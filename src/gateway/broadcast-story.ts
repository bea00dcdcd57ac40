/** What the caller is told after the attempts of a broadcast: the node's own answer, or what the gateway knows itself. */

import type { Call, SignedTransaction } from '../chains/family.ts';
import { familyFacts } from '../chains/presets.ts';
import { nothingLeft } from '../core/broadcast.ts';
import {
  harmless,
  interruptedText,
  nameOfEndpoint,
  notSentText,
  otherIdText,
  refusedText,
  unknownText,
  wrongChainText,
} from '../core/broadcast-text.ts';
import type { AttemptNote } from '../core/errors.ts';
import { gatesOf } from '../core/gates.ts';
import type { Need } from '../core/need.ts';
import type { Outcome } from './broadcast-outcome.ts';
import type { Try } from './broadcast-try.ts';
import { shownAnswer } from './replies.ts';
import type { Chain } from './roster.ts';
import type { Stop } from './sending.ts';

export interface Scene {
  readonly chain: Chain;
  readonly call: Call;
  readonly need: Need;
  readonly signed: SignedTransaction;
  readonly now: number;
}

/** `telling`: the attempt that counts; undefined: none was made. `stop`: why there was no further one. */
export function outcomeToTell(
  scene: Scene,
  tries: readonly Try[],
  attempts: readonly AttemptNote[],
  telling: Try | undefined,
  stop: Stop | undefined,
): Outcome {
  const reasons = [
    ...tries.map(noConnection),
    ...(stop === undefined ? [] : [whyStopped(scene, stop, tries)]),
  ];
  if (telling === undefined) return notSent(scene, reasons.join(', and '), attempts);
  const { record, row, outcome, reached, answer } = telling;
  const { verdict } = telling.judgement;
  const definite = outcome === 'accepted' || outcome === 'known' || outcome === 'rejected';
  if (definite && answer !== undefined) {
    const { headers, body } = answer;
    return { told: { is: 'answer', verdict, body, from: { record, headers } }, attempts, row };
  }
  const { signed, chain } = scene;
  const transaction = {
    ...(signed.id === undefined ? {} : { id: signed.id }),
    endpoint: record.settings.name,
    reached,
    outcome,
    ...(answer === undefined ? {} : { answer: shownAnswer([], answer.body) }),
  };
  if (outcome === 'refused' && nothingLeft(reached)) {
    const message = notSentText(reasons.join(', and '));
    return { told: { is: 'fault', reason: 'not_sent', message, transaction }, attempts, row };
  }
  const watched = { endpoint: record.settings.name, txId: signed.id };
  if (outcome === 'refused') {
    const message = refusedText(watched, chain.settings.repeatWindowMs);
    return { told: { is: 'fault', reason: 'broadcast_refused', message, transaction }, attempts, row };
  }
  const message =
    telling.otherId === undefined
      ? unknownText(watched, whatHappened(telling))
      : otherIdText(watched, telling.otherId);
  return { told: { is: 'fault', reason: 'broadcast_unknown', message, transaction }, attempts, row };
}

export function notSent(
  { signed }: Pick<Scene, 'signed'>,
  why: string,
  attempts: readonly AttemptNote[] = [],
): Outcome {
  const id = signed.id === undefined ? {} : { id: signed.id };
  const transaction = { ...id, reached: 'not_connected' as const, outcome: 'refused' as const };
  return {
    told: { is: 'fault', reason: 'not_sent', message: notSentText(why), transaction },
    attempts,
    row: undefined,
  };
}

function noConnection({ record, reached }: Try): string {
  const name = nameOfEndpoint(record.settings.name);
  return reached === 'nothing_handed_over'
    ? `the connection to ${name} broke before the first byte`
    : `no connection to ${name} came about`;
}

function whyStopped({ chain, need, now }: Scene, stop: Stop, tries: readonly Try[]): string {
  switch (stop) {
    case 'no_row':
      return 'the record of broadcasts could not be written';
    case 'no_time':
      return 'too little time was left';
    case 'no_endpoint': {
      const others = chain.pool.records.filter(record => tries.every(made => made.record !== record));
      if (others.length === 0)
        return tries.length === 0 ? 'the chain has no endpoints' : 'there is no other endpoint';
      const held = others.map(record => {
        const [worst] = gatesOf(record, need, now);
        const reason = worst === undefined ? 'open' : harmless(worst.reason, worst.name.replaceAll('_', ' '));
        return `${nameOfEndpoint(record.settings.name)} (${reason})`;
      });
      return `no ${tries.length === 0 ? '' : 'other '}endpoint may take it: ${held.join(', ')}`;
    }
  }
}

function whatHappened({ fault, reached, answer }: Try): string {
  if (answer !== undefined) return 'its answer does not tell';
  if (fault === undefined) return 'its answer cannot be read';
  if (reached === 'answered') return 'its answer broke off';
  return fault.kind === 'timeout' ? 'no answer came in time' : 'the connection broke before an answer';
}

/** Signed for another network than this chain is; undefined: it is not, or does not say. */
export function wrongChain(chain: Chain, { id, signedFor }: SignedTransaction): Outcome | undefined {
  const { name, family, identity } = chain.settings;
  if (signedFor === undefined || signedFor === identity) return undefined;
  const message = wrongChainText(familyFacts[family].identityName, signedFor, name, identity);
  const transaction = { ...(id === undefined ? {} : { id }), reached: 'not_connected' as const };
  return { told: { is: 'fault', reason: 'wrong_chain', message, transaction }, attempts: [], row: undefined };
}

/** It is on its way for another caller, who has more time to wait for the answer. */
export function stillAwaited(chain: Chain, { id }: SignedTransaction, row: number | undefined): Outcome {
  const endpoint = `an endpoint of ${chain.settings.name}`;
  return unknownOutcome(id, unknownText({ endpoint, txId: id }, 'its answer is still awaited'), row);
}

/** The gateway failed in the middle of it. */
export function interrupted(chain: Chain, { id }: SignedTransaction, row: number): Outcome {
  return unknownOutcome(
    id,
    interruptedText({ endpoint: `an endpoint of ${chain.settings.name}`, txId: id }),
    row,
  );
}

function unknownOutcome(id: string | undefined, message: string, row: number | undefined): Outcome {
  const transaction = { ...(id === undefined ? {} : { id }), outcome: 'unknown' as const };
  return { told: { is: 'fault', reason: 'broadcast_unknown', message, transaction }, attempts: [], row };
}
