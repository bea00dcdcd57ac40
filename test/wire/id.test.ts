import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idValue, sameId } from '../../src/wire/id.ts';
import { numberText, stringText } from './json-texts.ts';

describe('ids are compared as JSON values', () => {
  it.each([
    ['1', '1', true],
    ['1', '1.0', true],
    ['100', '1e2', true],
    ['0', '-0', true],
    ['"a"', '"\\u0061"', true],
    ['null', 'null', true],
    ['9007199254740993', '9007199254740992', true],
    ['1', '"1"', false],
    ['null', '"null"', false],
    ['1', '2', false],
    ['"a"', '"A"', false],
    ['"1"', '"1.0"', false],
    ['[1]', '[ 1 ]', false],
    ['true', '1', false],
    ['0', 'null', false],
    ['""', '0', false],
    ['123456789012345', '123456789012346', false],
    ['1234567890123456', '1234567890123457', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(sameId(a, b)).toBe(same);
    expect(sameId(b, a)).toBe(same);
  });

  it('a value is what JSON.parse says', () => {
    fc.assert(
      fc.property(fc.oneof(numberText, stringText, fc.nat().map(String), fc.constant('null')), text => {
        expect(idValue(text)).toBe(JSON.parse(text));
      }),
    );
  });

  it('what is no id has no value', () => {
    for (const text of ['{}', '[]', 'true', 'false']) expect(idValue(text)).toBeUndefined();
  });
});
