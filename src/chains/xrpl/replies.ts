/** What an XRPL answer means: rippled's and Clio's own words first, then what providers write in front of them. */

import type { Rule } from '../rules.ts';
import type { Facts } from './facts.ts';
import { history } from './replies/history.ts';
import { rest } from './replies/rest.ts';
import { server } from './replies/server.ts';
import { statuses } from './replies/statuses.ts';
import { structure } from './replies/structure.ts';
import { texts } from './replies/texts.ts';
import { transactions } from './replies/transactions.ts';

export const rules: readonly Rule<Facts>[] = [
  ...structure,
  ...transactions,
  ...history,
  ...server,
  ...statuses,
  ...texts,
  ...rest,
];
