/** The code under test, from a root of its own: the working tree, or a copy with one rule changed (`mutate.ts`). */

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Code {
  readonly budget: typeof import('../../src/gateway/budget.ts');
  readonly facts: typeof import('../../src/core/facts.ts');
  readonly forward: typeof import('../../src/gateway/forward.ts');
  readonly batch: typeof import('../../src/gateway/forward-batch.ts');
  readonly gates: typeof import('../../src/core/gates.ts');
  readonly identityKey: typeof import('../../src/daemon/identity-key.ts');
  readonly newcomers: typeof import('../../src/daemon/newcomers.ts');
  readonly probe: typeof import('../../src/gateway/probe.ts');
  readonly roster: typeof import('../../src/gateway/roster.ts');
  readonly tell: typeof import('../../src/gateway/tell.ts');
  readonly sessions: typeof import('../../src/gateway/sessions.ts');
}

export const workingTree = fileURLToPath(new URL('../../src', import.meta.url));

export async function loadCode(root: string = workingTree): Promise<Code> {
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(root, path)).href);
  return {
    batch: await load('gateway/forward-batch.ts'),
    budget: await load('gateway/budget.ts'),
    facts: await load('core/facts.ts'),
    forward: await load('gateway/forward.ts'),
    gates: await load('core/gates.ts'),
    identityKey: await load('daemon/identity-key.ts'),
    newcomers: await load('daemon/newcomers.ts'),
    probe: await load('gateway/probe.ts'),
    roster: await load('gateway/roster.ts'),
    sessions: await load('gateway/sessions.ts'),
    tell: await load('gateway/tell.ts'),
  };
}
