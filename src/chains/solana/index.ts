/** Solana: Agave and its relatives, JSON-RPC over HTTP. */

import type { Family } from '../family.ts';
import { faultBody, join, openJsonRpc, peekReply, split, tailReply } from '../jsonrpc.ts';
import { readdress } from '../readdress.ts';
import { answeredId, followUp, knownReply } from './follow-up.ts';
import { methods } from './methods.ts';
import { need } from './need.ts';
import { methodOf } from './params.ts';
import { absent, headOf, probes } from './probes.ts';
import { judge, rules } from './replies.ts';
import { transaction } from './tx.ts';

/** Clients of Solana know it, and none sends again on it. */
const broadcastFailed = -32603;

export const solana: Family = {
  name: 'solana',
  methods,
  rules,
  open: (incoming, options) => openJsonRpc(incoming, options, methodOf, ''),
  need,
  judge,
  peek: peekReply,
  tail: tailReply,
  headOf,
  absent,
  transaction,
  readdress,
  knownReply,
  answeredId,
  followUp,
  fault: (call, told) => faultBody(call, told, call?.spec.kind === 'broadcast' ? broadcastFailed : undefined),
  join,
  split,
  probes,
};
