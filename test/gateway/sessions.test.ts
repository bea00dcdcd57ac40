import { describe, expect, it } from 'vitest';
import type { Need } from '../../src/core/need.ts';
import { Read } from '../../src/gateway/read.ts';
import { Sessions } from '../../src/gateway/sessions.ts';
import { FakeWorld } from '../kit/fake-world.ts';

const tip: Need = { class: 'read', method: 'eth_call' };
const strictTip: Need = { ...tip, height: 1_000, strict: true };
const nonce: Need = { class: 'read', method: 'eth_getTransactionCount', own: true };
const chainId: Need = { class: 'read', method: 'eth_chainId', timeless: true };
const past: Need = {
  class: 'read',
  method: 'eth_call',
  height: 900,
  history: { kind: 'state', height: 900 },
};

/** A pool at height 1000 in which one endpoint is a little higher. */
function pool(chain: Parameters<typeof setChain>[1] = {}) {
  const world = setChain(new FakeWorld({ head: 1_000 }), chain);
  const [a, b, c] = world.chain.pool.records;
  if (a === undefined || b === undefined || c === undefined) throw new Error('three endpoints');
  b.head.height = 1_003;
  return { world, chain: world.chain, a, b, c, sessions: new Sessions(), now: world.clock.now() };
}

function setChain(world: FakeWorld, changed: { pinning?: boolean; freshness?: 'strict' }): FakeWorld {
  Object.assign(world.chain, { settings: { ...world.chain.settings, pinning: true, ...changed } });
  return world;
}

describe('reading what one wrote', () => {
  it('after a broadcast, the nonce is asked of the endpoint that took it', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, nonce, now).first).toBe(b);
  });

  it('other reads of the tip go to endpoints at least as high as it was', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, tip, now)).toEqual({
      need: { ...tip, height: 1_003 },
      first: undefined,
    });
  });

  it('a read of the past is nobody else’s business', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, past, now).need).toBe(past);
  });

  it('a read that is about no block is nobody else’s business either', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, chainId, now).need).toBe(chainId);
  });

  it('ends after 30 s', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, nonce, now + 29_999).first).toBe(b);
    expect(sessions.read(chain, 'app', false, nonce, now + 30_000)).toEqual({
      need: nonce,
      first: undefined,
    });
  });

  it('is owed to that client alone, and to nobody who does not say who it is', () => {
    const { chain, b, sessions, now } = pool();
    sessions.took(chain, 'app', b, now);
    sessions.took(chain, undefined, b, now);
    expect(sessions.read(chain, 'other', false, nonce, now).first).toBeUndefined();
    expect(sessions.read(chain, undefined, false, nonce, now).first).toBeUndefined();
  });

  it('is off by pinning: false', () => {
    const { chain, b, sessions, now } = pool({ pinning: false });
    sessions.took(chain, 'app', b, now);
    expect(sessions.read(chain, 'app', false, nonce, now)).toEqual({ need: nonce, first: undefined });
  });

  it('the endpoint that took it is asked only while nothing holds it back', () => {
    const { chain, b, sessions, world, now } = pool();
    sessions.took(chain, 'app', b, now);
    const call = world.chain.family.probes.head.call;
    const owed = sessions.read(chain, 'app', false, nonce, now);
    expect(new Read(chain, call, now, owed).next(now, 0.5)).toEqual({ do: 'send', record: b });
    b.cooldown.until = now + 5_000;
    expect(new Read(chain, call, now, owed).next(now, 0.5)).not.toMatchObject({ record: b });
  });
});

describe('strict freshness', () => {
  it('asks for the height the pool has agreed on', () => {
    const { chain, sessions, now } = pool();
    chain.pool.head.agreed = 1_000;
    expect(sessions.read(chain, undefined, true, tip, now).need).toEqual({
      ...tip,
      height: 1_000,
      strict: true,
    });
  });

  it('asks for none where the answer is about no block', () => {
    const { chain, sessions, now } = pool();
    chain.pool.head.agreed = 1_000;
    sessions.showed(chain, 'app', strictTip, 1_003, now);
    expect(sessions.read(chain, 'app', true, chainId, now).need).toBe(chainId);
  });

  it('shows one client no height below one it was shown', () => {
    const { chain, sessions, now } = pool();
    chain.pool.head.agreed = 1_000;
    sessions.showed(chain, 'app', strictTip, 1_003, now);
    expect(sessions.read(chain, 'app', true, tip, now).need.height).toBe(1_003);
    expect(sessions.read(chain, 'other', true, tip, now).need.height).toBe(1_000);
  });

  it('waits for a fresh endpoint up to a bound, then says that none is', () => {
    const { chain, sessions, world, now } = pool();
    sessions.showed(chain, 'app', strictTip, 1_010, now);
    const owed = sessions.read(chain, 'app', true, tip, now);
    const read = new Read(chain, world.chain.family.probes.head.call, now, owed);
    expect(read.next(now, 0.5)).toMatchObject({ do: 'wait' });
    expect(read.next(now + 4_999, 0.5)).toMatchObject({ do: 'wait' });
    expect(read.next(now + 5_000, 0.5)).toMatchObject({ do: 'fail', reason: 'not_fresh' });
  });

  it('never falls back to an endpoint below the mark, as other reads do', () => {
    const { chain, b, sessions, world, now } = pool();
    const owed = sessions.read(chain, 'app', false, { ...tip, height: 2_000 }, now);
    const call = world.chain.family.probes.head.call;
    expect(new Read(chain, call, now, owed).next(now, 0.5)).toEqual({ do: 'send', record: b });
    const strict = { need: { ...owed.need, strict: true as const }, first: undefined };
    expect(new Read(chain, call, now, strict).next(now, 0.5)).toMatchObject({ do: 'wait' });
  });
});
