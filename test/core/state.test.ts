import { describe, expect, it } from 'vitest';
import { noteBuilds, noteIdentity, quarantine, setSwitches } from '../../src/core/facts.ts';
import { begin } from '../../src/core/observe.ts';
import { type Pool, refresh } from '../../src/core/pool.ts';
import { stateOf, stateWords } from '../../src/core/state.ts';
import { at, attempt, head, newPool, show, times } from './pool-fixture.ts';

const now = 1_000;
const fail = (pool: Pool, workClass: 'read' | 'heavy' | 'broadcast'): void =>
  times(5, () => attempt(pool, at(pool, 0), 'transport', now, { class: workClass }));

/** Worst first; each makes the state, and is applied on top of all the better ones. */
const ways: readonly [keyof typeof stateWords, (pool: Pool) => void][] = [
  ['disabled', pool => setSwitches(pool, at(pool, 0), { disabled: true }, now)],
  ['draining', pool => setSwitches(pool, at(pool, 0), { draining: true }, now)],
  ['busy', pool => times(2, () => begin(pool, at(pool, 0), 'read', 'client', now))],
  ['slow', pool => attempt(pool, at(pool, 0), 'ok', now, { seen: { ms: 1e6 } })],
  ['quarantine', pool => quarantine(at(pool, 0), 'added at runtime', now)],
  ['cooling', pool => attempt(pool, at(pool, 0), 'rate_limited', now)],
  ['stale', pool => show(pool, at(pool, 0), head - 100, now)],
  ['down', pool => fail(pool, 'read')],
  ['auth_refused', pool => attempt(pool, at(pool, 0), 'auth_refused', now)],
  ['api_only', pool => noteBuilds(at(pool, 0), false, now)],
  ['wrong_network', pool => noteIdentity(pool, at(pool, 0), '8', now)],
];

describe('the word for an endpoint’s state', () => {
  const pool = () => newPool({ chain: { maxLatencyMs: 500 }, endpoints: [{ maxInFlight: 2 }, {}, {}] });

  it('is `healthy` when nothing holds it back', () => {
    expect(stateOf(at(newPool(), 0), now)).toMatchObject({
      state: 'healthy',
      label: 'healthy',
      reason: '',
      next: '',
    });
  });

  it.each(ways)('is `%s` for its own reason alone', (state, happen) => {
    const one = pool();
    happen(one);
    const told = stateOf(at(one, 0), now);
    expect(told.state).toBe(state);
    expect(told.label.startsWith(stateWords[state])).toBe(true);
    expect(told.reason).not.toBe('');
    expect(told.next).not.toBe('');
  });

  it('is the worst of all that hold it', () => {
    const one = pool();
    for (const [state, happen] of ways) {
      happen(one);
      expect(stateOf(at(one, 0), now).state).toBe(state);
    }
  });

  it('not verified is worse than auth refused, and less than wrong network', () => {
    const one = newPool({ unlearned: true });
    attempt(one, at(one, 0), 'auth_refused', now);
    expect(stateOf(at(one, 0), now).state).toBe('not_verified');
    noteIdentity(one, at(one, 0), '8', now);
    expect(stateOf(at(one, 0), now).state).toBe('wrong_network');
  });

  it('is `half_open` when the hold is over, whether anyone looked or not', () => {
    const one = newPool();
    fail(one, 'read');
    show(one, at(one, 0), head, 30_999);
    expect(stateOf(at(one, 0), 30_999)).toMatchObject({ state: 'down', since: 1_000, until: 31_000 });
    expect(stateOf(at(one, 0), 31_000)).toMatchObject({ state: 'half_open', since: 31_000 });
  });

  it.each(['heavy', 'broadcast'] as const)('a circuit for %s alone is told beside `healthy`', workClass => {
    const one = newPool();
    fail(one, workClass);
    expect(stateOf(at(one, 0), now)).toMatchObject({
      state: 'healthy',
      reason: expect.stringContaining(workClass),
      until: 31_000,
    });
  });

  it('an endpoint for broadcasts alone is down when that circuit holds', () => {
    const one = newPool({ endpoints: [{ roles: ['broadcast'] }] });
    fail(one, 'broadcast');
    expect(stateOf(at(one, 0), now).state).toBe('down');
  });

  it('weight 0 drains', () => {
    const one = newPool({ endpoints: [{ weight: 0 }, {}] });
    expect(stateOf(at(one, 0), now)).toMatchObject({ state: 'draining', reason: 'its weight is 0' });
  });

  it('busy by rps tells until when', () => {
    const one = newPool({ endpoints: [{ rps: 1 }] });
    begin(one, at(one, 0), 'read', 'client', 5_000);
    expect(stateOf(at(one, 0), 5_500)).toMatchObject({ state: 'busy', until: 6_000 });
  });

  it('healthy since the last gate opened', () => {
    const one = newPool();
    attempt(one, at(one, 0), 'rate_limited', now);
    refresh(one, 6_500);
    expect(stateOf(at(one, 0), 6_600)).toMatchObject({ state: 'healthy', since: 6_500 });
  });
});

describe('changes', () => {
  it('are told once, when they happen or at the next look', () => {
    const one = newPool();
    const record = at(one, 0);
    times(4, n => attempt(one, record, 'transport', n));
    const names = (changes: ReturnType<typeof refresh>) => changes.map(({ gate, shut }) => [gate.name, shut]);
    expect(refresh(one, 5)).toEqual([]);
    attempt(one, record, 'rate_limited', 6);
    expect(refresh(one, 7)).toEqual([]);
    expect(names(refresh(one, 5_006))).toEqual([['cooldown', false]]);
    expect(refresh(one, 5_007)).toEqual([]);
  });
});
