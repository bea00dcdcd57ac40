/** The XRP Ledger: rippled and Clio, over HTTP. */

import type { Family } from '../family.ts';
import { readdress } from '../readdress.ts';
import { answeredId, followUp, knownReply } from './follow-up.ts';
import { judge } from './judge.ts';
import { peek, tail } from './large.ts';
import { methods } from './methods.ts';
import { need } from './need.ts';
import { fault } from './own.ts';
import { headOf, probes } from './probes.ts';
import { rules } from './replies.ts';
import { open } from './request.ts';
import { transaction } from './tx.ts';

export const xrpl: Family = {
  name: 'xrpl',
  methods,
  rules,
  open,
  need,
  judge,
  peek,
  tail,
  headOf,
  // "No such thing" is an error here, and so has a verdict of its own.
  absent: () => false,
  transaction,
  readdress,
  knownReply,
  answeredId,
  followUp,
  fault,
  // A request is never a batch of several calls: XRPL's own `batch` is one.
  join: calls => calls[0]?.text ?? new Uint8Array(),
  split: (calls, body) => (calls.length === 1 ? [body] : undefined),
  probes,
};
