import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyOfSources, removeCopy, timesFound, tryMutation } from './mutants.ts';
import { mutations } from './mutations.ts';

describe('the list of mutations', () => {
  it.each(mutations.map(mutation => [mutation.name, mutation] as const))(
    '%s still applies',
    (_name, mutation) => {
      expect(timesFound(mutation)).toBe(1);
      expect(mutation.replace).not.toBe(mutation.find);
    },
  );

  it('no name stands twice', () => {
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });
});

/** A handful that shows within seconds; `node test/sim/mutate.ts` tries them all. */
const quick = [
  ['circuit opens late', 'flapping node'],
  ['quarantine is half', 'runtime endpoint in quarantine'],
  ['a throttle is a failure', 'all rate-limited'],
  ['the lowest is the median', 'lagging node behind one hosted URL'],
  ['a standstill is not seen', 'chain halt'],
] as const;

describe('the simulator catches', () => {
  let root = '';
  beforeAll(() => {
    root = copyOfSources();
  });
  afterAll(() => removeCopy(root));

  it('nothing in the sources as they are', async () => {
    const sound = { name: 'none', file: 'core/circuit.ts', find: '', replace: '', breaks: '' };
    const { by } = await tryMutation(root, sound, { hours: 3, seed: 1, only: 'flapping node' });
    expect(by).toEqual([]);
  });

  it.each(quick)('%s', async (name, only) => {
    const mutation = mutations.find(each => each.name === name);
    if (mutation === undefined) throw new Error(`no mutation ${name}`);
    const { by } = await tryMutation(root, mutation, { hours: 30, seed: 1, only });
    expect(by).not.toEqual([]);
    expect(by).not.toContain('stopped');
  });
});
