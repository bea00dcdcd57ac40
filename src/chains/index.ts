/** The register of families: one line each. */

import type { FamilyName } from '../core/chain.ts';
import { evm } from './evm/evm.ts';
import type { Family } from './family.ts';
import { solana } from './solana/index.ts';
import { tron } from './tron/index.ts';
import { xrpl } from './xrpl/index.ts';

export const families: Readonly<Record<FamilyName, Family>> = { evm, solana, xrpl, tron };
