/** TRON: java-tron's HTTP paths, TronGrid's index, and `/jsonrpc`. */

import type { Family } from '../family.ts';
import { filterMade, filterUsed } from '../filters.ts';
import { join, split } from '../jsonrpc.ts';
import { fault } from './fault.ts';
import { answeredId, followUp, knownReply } from './follow-up.ts';
import { absent, headOf } from './heads.ts';
import { indexPaths, paths, rpcMethods } from './methods.ts';
import { need } from './named.ts';
import { open } from './open.ts';
import { probes } from './probes.ts';
import { judge, rules } from './replies.ts';
import { peek, tail } from './stream.ts';
import { transaction } from './tx.ts';

export const tron: Family = {
  name: 'tron',
  methods: { ...paths, ...indexPaths, ...rpcMethods },
  rules,
  open,
  need,
  judge,
  peek,
  tail,
  headOf,
  absent,
  filterMade,
  filterUsed,
  transaction,
  // No broadcast of TRON's has an id.
  readdress: (_call, body) => body,
  knownReply,
  answeredId,
  followUp,
  fault,
  join,
  split,
  probes,
};
