/** The register of families: one line each. */

import type { FamilyName } from '../core/chain.ts';
import { evm } from './evm/evm.ts';
import type { Family } from './family.ts';
import { tron } from './tron/index.ts';

export const families: Readonly<Partial<Record<FamilyName, Family>>> = { evm, tron };
