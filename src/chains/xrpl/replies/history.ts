/** What a server keeps, by the fields of its answer. */

import type { Rule } from '../../rules.ts';
import type { Asked, Facts } from '../facts.ts';
import { all, token } from './saying.ts';

const upsideDown = ({ min, max }: Asked): boolean => min !== undefined && max !== undefined && min > max;

export const history: readonly Rule<Facts>[] = [
  {
    id: 'xrpl.clipped',
    stage: 'field',
    signal: 'success, ledger_index_min above or ledger_index_max below what was asked for',
    only: 'account_tx, nft_history, mpt_history',
    when: facts => facts.shape === 'success',
    verdict: 'missing_history',
    disguised: true,
    why: 'the server answered over what it keeps of the range, and did not say so',
    fixture: 'xrpl-extra-account-tx-clipped-below',
  },
  {
    id: 'xrpl.searched_all',
    stage: 'field',
    signal: 'txnNotFound with searched_all: true',
    when: all(token('txnNotFound'), facts => facts.searchedAll),
    verdict: 'app_error',
    why: 'the whole range was there: a definite answer',
    fixture: 'xrpl-txn-not-found-searched-all-true',
  },
  {
    id: 'xrpl.not_searched',
    stage: 'field',
    signal: 'txnNotFound without searched_all: true',
    when: token('txnNotFound'),
    verdict: 'missing_history',
    why: 'parts of history may lack here',
    fixture: 'xrpl-txn-not-found-searched-all-false',
  },
  {
    id: 'xrpl.range_upside_down',
    stage: 'field',
    signal: 'lgrIdxsInvalid, invalidLgrRange, lgrIdxMalformed, the lower bound above the upper one',
    when: all(token('lgrIdxsInvalid', 'invalidLgrRange', 'lgrIdxMalformed'), ({ asked }) =>
      upsideDown(asked()),
    ),
    verdict: 'app_error',
    why: 'no server can answer that',
    fixture: 'xrpl-lgr-idxs-invalid-min-above-max',
  },
  {
    id: 'xrpl.no_validated_range',
    stage: 'field',
    signal: 'lgrIdxsInvalid, lgrNotFound, lgrNotValidated, although no ledger was named',
    when: all(token('lgrIdxsInvalid', 'lgrNotFound', 'lgrNotValidated'), ({ asked }) => !asked().named),
    verdict: 'node_failure',
    why: 'the server lacks the newest ledgers, which every server should have',
    fixture: 'xrpl-extra-lgr-idxs-invalid-without-bounds',
  },
  {
    id: 'xrpl.ledger_missing',
    stage: 'field',
    signal: 'lgrNotFound, lgrNotValidated, lgrIdxsInvalid, invalidLgrRange, lgrIdxMalformed',
    when: token('lgrNotFound', 'lgrNotValidated', 'lgrIdxsInvalid', 'invalidLgrRange', 'lgrIdxMalformed'),
    verdict: 'missing_history',
    why: 'a ledger outside what this server keeps; despite its name, lgrIdxMalformed says the same',
    fixture: 'xrpl-lgr-not-found-old-ledger',
  },
];
