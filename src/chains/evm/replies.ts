/**
 * What an EVM endpoint's answer means. One number means different things at different providers (-32005 is a rate, a
 * range, a batch or a gas cap), so codes decide only where they are unambiguous; the rest is words, in an order in which
 * the more certain meaning comes first. The status only breaks ties.
 */

import { access } from './replies/access.ts';
import { broadcasts } from './replies/broadcasts.ts';
import { codes } from './replies/codes.ts';
import { history } from './replies/history.ts';
import { caps, plans, rates } from './replies/limits.ts';
import { offers } from './replies/offers.ts';
import { flaws, outcomes } from './replies/outcomes.ts';
import { rest } from './replies/rest.ts';
import type { EvmRule } from './replies/saying.ts';
import { structure } from './replies/structure.ts';

export const replies: readonly EvmRule[] = [
  ...structure,
  ...codes,
  ...outcomes,
  ...broadcasts,
  ...flaws,
  ...caps,
  ...plans,
  ...rates,
  ...access,
  ...history,
  ...offers,
  ...rest,
];
