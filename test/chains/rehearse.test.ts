import { expect, it } from 'vitest';
import { classifyCase } from '../../src/chains/classify.ts';
import { families } from '../../src/chains/index.ts';
import { rehearse, strangers } from '../../src/chains/rehearse.ts';

it('a rehearsal comes to a last row of each family, for reads and for broadcasts, past the patterns of all others', () => {
  for (const family of Object.values(families)) {
    const cases = strangers[family.name];
    expect(cases).toHaveLength(2);
    for (const { request, body } of cases) {
      const judged = classifyCase(
        { family: family.name, request, response: { status: 200, headers: {}, body } },
        families,
        0,
      );
      const row = family.rules.find(({ id }) => 'rule' in judged && id === judged.rule);
      expect([judged, row?.unclassified]).toEqual([judged, true]);
    }
  }
  expect(() => rehearse(['evm', 'solana', 'xrpl', 'tron'])).not.toThrow();
});
