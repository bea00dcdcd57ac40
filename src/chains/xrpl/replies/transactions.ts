/** The fate of a transaction, by the fields of a submission. */

import type { Rule } from '../../rules.ts';
import type { Facts } from '../facts.ts';
import type { When } from './saying.ts';

const engine =
  (test: (result: string, held: boolean | undefined) => boolean): When =>
  ({ engine: found }) =>
    found !== undefined && test(found.result, found.held);

export const transactions: readonly Rule<Facts>[] = [
  {
    id: 'xrpl.tx_already',
    stage: 'field',
    signal: 'engine_result tefALREADY',
    only: 'submit',
    when: engine(result => result === 'tefALREADY'),
    verdict: 'app_error',
    tx: 'known',
    why: 'the server has exactly this transaction, whatever its flags say',
    fixture: 'xrpl-submit-tef-already',
  },
  {
    id: 'xrpl.tx_final',
    stage: 'field',
    signal: 'engine_result tef…, tem…',
    only: 'submit',
    when: engine(result => /^te[fm]/.test(result)),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'it is malformed, or its time, sequence or signature has passed: it cannot go in any more',
    fixture: 'xrpl-submit-tef-past-seq',
  },
  {
    id: 'xrpl.tx_held',
    stage: 'field',
    signal: 'one of accepted, applied, broadcast, queued, kept is true; or terQUEUED',
    only: 'submit',
    when: engine((result, held) => held === true || result === 'terQUEUED'),
    verdict: 'ok',
    tx: 'accepted',
    why: 'the server relays it, or keeps it and tries again by itself, whatever the code sounds like',
    fixture: 'xrpl-submit-tel-insuf-fee-kept',
  },
  {
    id: 'xrpl.tx_applied',
    stage: 'field',
    signal: 'engine_result tes…, or tec… without flags',
    only: 'submit',
    when: engine((result, held) => /^tes/.test(result) || (/^tec/.test(result) && held === undefined)),
    verdict: 'ok',
    tx: 'accepted',
    why: 'applied for now, and relayed; a tec claims its fee when it stays so',
    fixture: 'xrpl-extra-multisigned-tes',
  },
  {
    id: 'xrpl.tx_for_another_network',
    stage: 'field',
    signal: 'engine_result telBAD_…, telNO_DST_PARTIAL, or one of the network ids',
    only: 'submit',
    when: engine(result =>
      /^tel(?:BAD_|NO_DST_PARTIAL$|WRONG_NETWORK$|REQUIRES_NETWORK_ID$|NETWORK_ID_)/.test(result),
    ),
    verdict: 'app_error',
    tx: 'rejected',
    why: 'a local check of what the transaction says, and nothing keeps it',
    fixture: 'xrpl-extra-tel-wrong-network',
  },
  {
    id: 'xrpl.tx_server_trouble',
    stage: 'field',
    signal: 'engine_result telLOCAL_ERROR, telFAILED_PROCESSING',
    only: 'submit',
    when: engine(result => result === 'telLOCAL_ERROR' || result === 'telFAILED_PROCESSING'),
    verdict: 'node_failure',
    tx: 'refused',
    why: 'trouble of this server; nothing is held',
    fixture: 'xrpl-extra-tel-local-error',
  },
  {
    id: 'xrpl.tx_not_held',
    stage: 'field',
    signal: 'engine_result tec…, tel…, ter… with all flags false',
    only: 'submit',
    when: engine((result, held) => /^te[clr]/.test(result) && held === false),
    verdict: 'app_error',
    tx: 'refused',
    why: 'not now, and this server keeps nothing of it',
    fixture: 'xrpl-submit-ter-pre-seq-fail-hard',
  },
  {
    id: 'xrpl.tx_unsaid',
    stage: 'field',
    signal: 'engine_result tel…, ter… without flags',
    only: 'submit',
    when: engine(result => /^te[lr]/.test(result)),
    verdict: 'app_error',
    tx: 'unknown',
    why: 'the server does not say whether it keeps it',
    fixture: 'xrpl-submit-multisigned-ter-no-flags',
  },
  {
    id: 'xrpl.tx_no_engine',
    stage: 'field',
    signal: 'a result without an engine_result that is known',
    only: 'submit',
    when: facts => facts.shape === 'success' && facts.broadcast,
    verdict: 'node_failure',
    tx: 'unknown',
    why: 'nothing is said of the transaction',
    fixture: 'xrpl-extra-submit-without-engine-result',
  },
];
