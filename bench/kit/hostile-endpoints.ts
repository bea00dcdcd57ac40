/**
 * One endpoint for each misdeed of the tests, in a process of its own: what they pour out must not hold up those who look.
 * Sends their URLs to its parent, in the order of the table.
 */

import { startHostile } from '../../test/kit/hostile.ts';
import { misdeeds } from '../../test/security/misdeeds.ts';

const urls: string[] = [];
for (const [at, [, does]] of misdeeds.entries())
  urls.push((await startHostile(does, { chainId: 2000 + at })).url);
process.on('disconnect', () => process.exit());
process.send?.(urls);
