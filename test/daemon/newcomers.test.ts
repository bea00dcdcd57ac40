import { describe, expect, it } from 'vitest';
import { identityKey } from '../../src/daemon/identity-key.ts';
import { quarantineReason } from '../../src/daemon/newcomers.ts';
import type { Store } from '../../src/store/open.ts';
import { chainDefaults, endpoint } from '../sim/life.ts';

const chain = chainDefaults;
const old = endpoint('old');
const fresh = endpoint('fresh');
const added = endpoint('added', { origin: 'runtime' });

interface Remembered {
  /** The chain was served before. */
  readonly started?: boolean;
  readonly passed?: readonly (typeof old)[];
  readonly again?: readonly (typeof old)[];
  readonly verified?: readonly (typeof old)[];
}

/** The three facts that are looked at, as maps. */
function storeOf({ started = false, passed = [], again = [], verified = [] }: Remembered): Store {
  const keyOf = (each: typeof old) => identityKey(chain, each);
  const quarantines = new Map<string, { passedAt: number; again?: string }>([
    ...passed.map(each => [keyOf(each), { passedAt: 1 }] as const),
    ...again.map(each => [keyOf(each), { passedAt: 1, again: 'it was on the wrong network' }] as const),
  ]);
  const facts = {
    chains: new Map(started ? [[chain.name, { since: 1 }]] : []),
    quarantines,
    identities: new Map(verified.map(each => [keyOf(each), { result: 'verified', value: '1', at: 1 }])),
  };
  // Nothing else of the store is looked at.
  return facts as unknown as Store;
}

function reasonFor(which: typeof old, remembered: Remembered): string | undefined {
  const inputs = [{ settings: chain, endpoints: [old, fresh, added] }];
  return quarantineReason(storeOf(remembered), inputs, chain, which, identityKey(chain, which), 2);
}

const seasoned: Remembered = { started: true, passed: [old], verified: [old] };

describe('who has to earn its place first', () => {
  it.each([
    ['the file at the first start: nobody', old, {}, undefined],
    ['one that was added at runtime', added, {}, 'it was added at runtime'],
    [
      'one that is new in the file, another is usable',
      fresh,
      seasoned,
      'it is new in the config, or its URL changed there',
    ],
    ['not when nobody could stand in', fresh, { ...seasoned, verified: [] }, undefined],
    [
      'one that is itself on trial stands in for nobody',
      fresh,
      { ...seasoned, passed: [], again: [old] },
      undefined,
    ],
    ['one that passed before: not again', old, seasoned, undefined],
    [
      'a restart does not release one that was on the wrong network and has not passed since',
      old,
      { ...seasoned, passed: [], again: [old] },
      'it was on the wrong network',
    ],
  ])('%s', (_name, which, remembered, expected) => {
    expect(reasonFor(which, remembered)).toBe(expected);
  });
});
