import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Here, startHere } from './here.ts';

describe('commands that are given at once', () => {
  let here: Here;

  beforeAll(async () => {
    here = await startHere({
      chains: {
        local: {
          family: 'evm',
          chainId: 31337,
          probes: { interval: '1h' },
          endpoints: ['f1', 'f2'].map(name => ({
            name,
            url: `http://127.0.0.1:9/${name}`,
            allowPrivate: true,
          })),
        },
      },
    });
  });
  afterAll(() => here.remove());
  beforeEach(async () => {
    for (const { name } of here.rows('endpoint'))
      await here.api.ask('endpointRemove', { chain: 'local', name: String(name), force: true });
    for (const name of ['f1', 'f2']) await here.api.ask('endpointEnable', { chain: 'local', name });
  });

  const add = (name: string, path: string, weight = 10) =>
    here.api.ask('endpointAdd', { chain: 'local', name, url: `http://127.0.0.1:9/${path}`, weight });
  const outcomes = async (all: readonly Promise<unknown>[]) => {
    const settled = await Promise.allSettled(all);
    return settled.filter(({ status }) => status === 'fulfilled').length;
  };
  const pool = async () => (await here.api.ask('status', {})).chains[0]?.endpoints ?? [];
  const ten = [...Array(10).keys()];

  it('one name is given to one URL', async () => {
    expect(await outcomes(ten.map(n => add('same', `url-${n}`)))).toBe(1);
    expect((await pool()).map(({ name }) => name)).toEqual(['f1', 'f2', 'same']);
    expect(here.rows('endpoint')).toHaveLength(1);
  });

  it('one URL gets one name', async () => {
    expect(await outcomes(ten.map(n => add(`name-${n}`, 'same')))).toBe(1);
    expect(await pool()).toHaveLength(3);
    expect(here.rows('endpoint')).toHaveLength(1);
  });

  it('raises do not add up past the bound', async () => {
    await add('added', 'x', 5);
    const raise = () => here.api.ask('endpointSet', { chain: 'local', name: 'added', weight: '+4' });
    expect(await outcomes(ten.map(raise))).toBe(3);
    expect((await pool()).find(({ name }) => name === 'added')?.weight).toBe(17);
    expect(here.rows('endpoint').map(({ settings }) => JSON.parse(String(settings)).weight)).toEqual([17]);
  });

  it('not all endpoints of the config are switched off beside one added at runtime', async () => {
    await add('added', 'x');
    const off = [
      here.api.ask('endpointDisable', { chain: 'local', name: 'f1', force: true }),
      here.api.ask('endpointDrain', { chain: 'local', name: 'f2', force: true }),
      here.api.ask('endpointSet', { chain: 'local', name: 'f2', weight: '0', force: true }),
    ];
    expect(await outcomes(off)).toBe(1);
    expect((await pool()).filter(({ gates }) => gates.some(({ name }) => name === 'disabled'))).toHaveLength(
      1,
    );
  });

  it('adding does not slip in while those of the config go', async () => {
    const both = [
      here.api.ask('endpointDisable', { chain: 'local', name: 'f1', force: true }),
      here.api.ask('endpointDisable', { chain: 'local', name: 'f2', force: true }),
      add('added', 'x'),
    ];
    await Promise.allSettled(both);
    const serving = (await pool()).filter(({ gates }) => !gates.some(({ name }) => name === 'disabled'));
    expect(serving.length === 0 || serving.some(({ origin }) => origin === 'file')).toBe(true);
  });

  it('and an endpoint that is removed and set is gone', async () => {
    await add('added', 'x');
    const target = { chain: 'local', name: 'added' };
    await Promise.allSettled([
      here.api.ask('endpointSet', { ...target, weight: '20' }),
      here.api.ask('endpointRemove', target),
      here.api.ask('endpointSet', { ...target, weight: '15' }),
      here.api.ask('endpointDrain', target),
    ]);
    expect(await pool()).toHaveLength(2);
    expect(here.rows('endpoint')).toEqual([]);
    expect(here.rows('override')).toEqual([]);
  });
});
