import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { families } from '../../src/chains/index.ts';
import { familyReference } from '../../src/chains/reference.ts';
import { errors } from '../../src/core/errors.ts';
import { errorsReference } from '../../src/core/errors-reference.ts';

function page(path: string): string {
  return readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
}

describe('generated pages', () => {
  it.each(Object.values(families))('the page of $name is what `rpcgw docs family $name` prints', family => {
    expect(page(`verdicts/${family.name}.md`)).toBe(familyReference(family));
  });

  it.each(Object.values(families))('the page of $name has every rule and every method', family => {
    const text = familyReference(family);
    for (const { id } of family.rules) expect(text).toContain(`\`${id}\``);
    for (const name of Object.keys(family.methods)) expect(text).toContain(`\`${name}\``);
  });

  it('docs/errors.md is what `rpcgw docs errors` prints, and has every code', () => {
    expect(page('errors.md')).toBe(errorsReference());
    for (const code of Object.keys(errors)) expect(page('errors.md')).toContain(`\`${code}\``);
  });
});
