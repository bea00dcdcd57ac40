import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { peek } from '../../src/wire/peek.ts';
import { soundAnswers } from './answers.ts';
import { bytesOf, mutated, valueText } from './json-texts.ts';

const long = `[${Array(60).fill('"0xab"').join(',')}]`;
const look = (text: string, id: string | undefined = '7') => peek(bytesOf(text), id);

describe('commits', () => {
  it.each([
    ['id first', `{"jsonrpc":"2.0","id":7,"result":${long}`],
    ['result first, id to come', `{"result":${long}`],
    ['white space anywhere', `\n{ "id" : 7 ,\t"result" : ${long}`],
    ['the same number written otherwise', `{"id":7.0,"result":${long}`],
    ['a text that is not over', `{"id":7,"result":"0x${'00'.repeat(100)}`],
    ['an object that is not over', `{"id":7,"result":{"a":"${'x'.repeat(200)}`],
    ['error words inside the result', `{"id":7,"result":{"error":{"code":1},"b":${long}`],
    ['little of the result seen', '{"jsonrpc":"2.0","id":7,"result":['],
  ])('%s', (_, text) => {
    expect(look(text)).toBe('commit');
  });

  it('without an id of the caller, whatever the answer carries', () => {
    expect(peek(bytesOf(`{"id":8,"result":${long}`), undefined)).toBe('commit');
    expect(look(`{"id":"a\\u0062","result":${long}`, '"ab"')).toBe('commit');
    expect(look(`{"id":null,"result":${long}`, 'null')).toBe('commit');
  });

  it('is not longer in deciding for a longer answer: what lies behind the first bytes is not read', () => {
    expect(look(`{"id":7,"result":"${'x'.repeat(200)}\u0001 no JSON`)).toBe('commit');
  });
});

describe('holds', () => {
  it.each([
    ['nothing', ''],
    ['an error first', `{"id":7,"error":{"code":1,"data":${long}}`],
    ['an error before the result', `{"id":7,"error":{"code":1},"result":${long}`],
    ['error null before the result', `{"error":null,"id":7,"result":${long}`],
    ['a null result, as Bitcoin has it before an error', `{"result":null,"error":{"code":1,"data":${long}}`],
    ['a result that is over at once', `{"result":"","error":{"code":1,"data":${long}}`],
    ['an empty list that is over at once', `{"result":[],"error":{"code":1,"data":${long}}`],
    ['a number', `{"result":1234,"error":{"code":1,"data":${long}}`],
    ['another id', `{"id":8,"result":${long}`],
    ['an id of another type', `{"id":"7","result":${long}`],
    ['id null', `{"id":null,"result":${long}`],
    ['an id twice', `{"id":7,"id":7,"result":${long}`],
    ['an id that is an object', `{"id":{},"result":${long}`],
    ['an unknown key first', `{"usage":1,"result":${long}`],
    ['an escaped key', `{"\\u0072esult":${long}`],
    ['another case', `{"Result":${long}`],
    ['a list', `[{"id":7,"result":${long}`],
    ['HTML', '<html>'],
    ['a byte order mark', `\ufeff{"id":7,"result":${long}`],
    ['a result that is no JSON', '{"id":7,"result":[}'],
    ['a result that is no value', '{"id":7,"result":<html>'],
    ['a missing comma', `{"id":7 "result":${long}`],
    ['a missing colon', `{"id":7,"result" ${long}`],
  ])('%s', (_, text) => {
    expect(look(text)).toBe('hold');
  });
});

describe('cut at every byte', () => {
  it('a sound answer is committed from the first byte of its result on, and never before', () => {
    for (const text of soundAnswers) {
      const bytes = bytesOf(text);
      const value = /"result"\s*:\s*/.exec(text);
      const from = bytesOf(text.slice(0, (value?.index ?? 0) + (value?.[0].length ?? 0))).length;
      for (let size = 0; size <= bytes.length; size++) {
        const verdict = peek(bytes.subarray(0, size), '7');
        if (size <= from) expect(verdict).toBe('hold');
        else if (size <= from + 100) expect(verdict).toBe('commit');
      }
    }
  });

  it('an error answer or another id is never committed', () => {
    for (const text of soundAnswers) {
      const wrong = bytesOf(`{"id":8,"x":1,${text.slice(1)}`);
      const failed = bytesOf(text.replace('"result"', '"error"'));
      for (let size = 0; size <= failed.length; size++)
        expect(peek(failed.subarray(0, size), '7')).toBe('hold');
      for (let size = 0; size <= wrong.length; size++)
        expect(peek(wrong.subarray(0, size), '7')).toBe('hold');
    }
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(mutated(valueText), fc.constantFrom('1', '"a"', undefined), (bytes, id) => {
        const verdict = peek(bytes, id);
        expect(verdict === 'commit' || verdict === 'hold').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
