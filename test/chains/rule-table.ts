/** What holds for every family's table of rules. */

import { expect, test } from 'vitest';
import { classifyCase } from '../../src/chains/classify.ts';
import type { Family } from '../../src/chains/family.ts';
import type { Rule } from '../../src/chains/rules.ts';
import { answeredOf, type Case } from './cases.ts';

export function classify(family: Family, one: Case): ReturnType<typeof classifyCase> {
  return classifyCase({ ...one, family: family.name }, { [family.name]: family }, 0);
}

const stages = ['structure', 'field', 'words'];

export function testRuleTable<Facts>(family: Family, rules: readonly Rule<Facts>[]): void {
  test('every rule has a name of its own', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { id } of rules) expect(id).toMatch(new RegExp(`^${family.name}\\.[a-z_0-9]+$`));
  });

  test('structure comes before fields, fields before words', () => {
    const order = rules.map(({ stage }) => stages.indexOf(stage));
    expect(order).toEqual([...order].sort());
  });

  const cases = new Map(answeredOf(family.name).map(one => [one.id, one]));
  test.each(rules.map(({ id, fixture }) => [id, fixture] as const))('%s decides %s', (id, fixture) => {
    const one = cases.get(fixture);
    expect(one).toBeDefined();
    if (one !== undefined) expect(classify(family, one)).toMatchObject({ rule: id });
  });
}
