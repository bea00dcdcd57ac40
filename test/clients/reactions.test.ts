import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientReason } from '../../src/core/errors.ts';
import {
  type Asker,
  ethersLooksForItsNetwork,
  type Reaction,
  reactionOf,
  readers,
  senders,
} from './react.ts';
import { reactions } from './reactions.ts';
import { occurs, readReasons, sentReasons, unreadReasons } from './refusals.ts';

// @solana/web3.js tells the console of each time it asks again.
beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});

/** All at once: a library that waits between its tries waits beside the others. */
async function measured(
  askers: readonly Asker[],
  reasons: readonly ClientReason[],
): Promise<Record<string, Record<string, Reaction>>> {
  const rows = askers.map(async asker => {
    const own = reasons.filter(reason => occurs(asker.family, reason));
    const cells = own.map(async reason => [reason, await reactionOf(asker, reason)] as const);
    return [asker.name, Object.fromEntries(await Promise.all(cells))] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

function expected(kind: 'read' | 'send'): Record<string, Record<string, Reaction>> {
  return Object.fromEntries(
    Object.entries(reactions[kind]).map(([name, groups]) => [
      name,
      Object.fromEntries(groups.flatMap(({ on, ...reaction }) => on.map(reason => [reason, reaction]))),
    ]),
  );
}

describe('what libraries do on the gateway’s errors', () => {
  it('of a read is what the table says', async () => {
    expect(await measured(readers, readReasons)).toEqual(expected('read'));
  });

  it('of a broadcast is what the table says', async () => {
    expect(await measured(senders, [...sentReasons, ...unreadReasons])).toEqual(expected('send'));
  });

  it('no library sends a transaction again on what the gateway says of it', () => {
    for (const [name, groups] of Object.entries(reactions.send)) {
      const told = groups.filter(({ on }) => on.some(reason => sentReasons.some(each => each === reason)));
      expect(
        told.map(({ requests }) => requests),
        name,
      ).toEqual(told.map(() => 1));
    }
  });

  it('ethers asks by itself for a network that it was not told, until it is', async () => {
    vi.spyOn(console, 'log').mockReturnValue(undefined);
    expect(await ethersLooksForItsNetwork('no_endpoint', 3)).toBe('Error UNKNOWN_ERROR, then 1');
  });
});
