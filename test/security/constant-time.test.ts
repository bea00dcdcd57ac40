import { beforeEach, describe, expect, it, vi } from 'vitest';

/** Calls of the platform's comparison, with the lengths of what it compared. */
const compared = vi.hoisted((): number[][] => []);
vi.mock('node:crypto', async original => {
  const real = await original<typeof import('node:crypto')>();
  return {
    ...real,
    timingSafeEqual(a: Uint8Array, b: Uint8Array) {
      compared.push([a.length, b.length]);
      return real.timingSafeEqual(a, b);
    },
  };
});

import { clients } from '../../src/daemon/clients.ts';

const keys = ['0123456789abcdef0123', 'fedcba9876543210fedc', 'aaaaaaaaaaaaaaaaaaaa'];

describe('a key that is given', () => {
  beforeEach(() => {
    compared.length = 0;
  });

  it.each([
    ['is the first', keys[0]],
    ['is the last', keys[2]],
    ['is none', '0123456789abcdef0124'],
    ['begins like one', '0123456789abcdef012'],
    ['is one letter', 'a'],
    ['is a thousand letters', 'a'.repeat(1000)],
  ])(
    'that %s is compared with every key, by what takes the same time for all, at one length',
    (_name, given) => {
      const { admit } = clients({ keys: keys.map((key, at) => ({ name: `k${at}`, key })), cidrs: [] });
      const found = admit(`Bearer ${given}`, '203.0.113.9');
      expect(found).toBe(keys.includes(given ?? '') ? `k${keys.indexOf(given ?? '')}` : undefined);
      expect(compared).toEqual(keys.map(() => [32, 32]));
    },
  );
});
