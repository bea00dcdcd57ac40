/** What is not there: nowhere, no longer, or not yet. */

import { gone, unknownThing } from '../words.ts';
import { type EvmRule, says } from './saying.ts';

/** Damage of the database: nothing that a height could explain. */
const lostData = /^(?:leveldb|pebble|rocksdb|mdbx|badger)/;

export const history: readonly EvmRule[] = [
  {
    id: 'evm.unknown_thing',
    stage: 'words',
    signal: 'text: no such transaction, filter, account; genesis is not traceable',
    when: f => says(f, unknownThing) && !/indexing/.test(f.text),
    verdict: 'app_error',
    // A node that sends and then looks the transaction up can fail at the second.
    tx: 'unknown',
    why: 'it says what null says elsewhere',
    fixture: 'trace-transaction-not-found',
  },
  {
    id: 'evm.gone',
    stage: 'words',
    signal: 'text: header or block not found, missing trie node, pruned, not available',
    only: 'requests that name a height or a hash',
    when: f => f.past && says(f, gone) && !lostData.test(f.message),
    verdict: 'missing_history',
    why: 'this node does not have it: gone, or not come yet',
    fixture: 'header-not-found-old-block',
  },
  {
    id: 'evm.gone_explicitly',
    stage: 'words',
    signal: 'text: pruned, historical state',
    only: 'requests without a block of their own, of a filter for example',
    when: f =>
      !f.placed && /\bpruned\b|historical state|history has been/.test(f.text) && !lostData.test(f.message),
    verdict: 'missing_history',
    why: 'the words leave no doubt',
    fixture: 'history-pruned-filter-logs',
  },
  {
    id: 'evm.head_lost',
    stage: 'words',
    signal: 'text: header or block not found, missing trie node, not available',
    only: 'requests at the head',
    when: f => says(f, gone),
    verdict: 'node_failure',
    why: 'a node that cannot find its own head is broken or not in sync',
    fixture: 'header-not-found-latest',
  },
];
