import { expect, it } from 'vitest';
import { clock } from '../../src/io/clock.ts';
import { rehearseExchanges } from '../../src/io/rehearse.ts';

it('brings about every way for an exchange to end, each twice, without a network', async () => {
  const once = ['answered', 'given up', 'reset', 'protocol'];
  expect(await rehearseExchanges(clock)).toEqual([...once, ...once]);
});
