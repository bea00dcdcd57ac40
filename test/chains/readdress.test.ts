import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/chains/family.ts';
import { readdress } from '../../src/chains/readdress.ts';

const utf8 = new TextEncoder();
const text = new TextDecoder();
const callOf = (id: string | undefined): Call => ({
  method: 'eth_sendRawTransaction',
  spec: { kind: 'broadcast' },
  id,
  text: new Uint8Array(),
  paramsAt: -1,
  paramsEnd: -1,
  verb: 'POST',
  path: '',
});
const anew = (id: string | undefined, body: string) => text.decode(readdress(callOf(id), utf8.encode(body)));

describe('an answer for another caller', () => {
  test.each<[string, string | undefined, string, string]>([
    [
      'the id is replaced where it stands',
      '"x"',
      '{"jsonrpc":"2.0","id":1,"result":"0x"}',
      '{"jsonrpc":"2.0","id":"x","result":"0x"}',
    ],
    ['blanks stay', '7', '{ "id" : 1 , "result" : 2 }\n', '{ "id" : 7 , "result" : 2 }\n'],
    ['a null id gets a name', '7', '{"id":null,"error":{}}', '{"id":7,"error":{}}'],
    ['ids further down are not ids', '7', '{"result":{"id":1},"id":2}', '{"result":{"id":1},"id":7}'],
    ['where there is none it comes last', '7', '{"result":{}}', '{"result":{},"id":7}'],
    ['in an empty object it stands alone', '7', '{}', '{"id":7}'],
    ['a caller without one gets none: in the middle', undefined, '{"a":1, "id":2, "b":3}', '{"a":1, "b":3}'],
    ['first', undefined, '{"id":2,"b":3}', '{"b":3}'],
    ['last', undefined, '{"a":1,"id":2}', '{"a":1}'],
    ['alone', undefined, '{"id":2}', '{}'],
    ['what is no object stays', '7', '[1]', '[1]'],
    ['what is no JSON stays', '7', '{"id":1', '{"id":1'],
  ])('%s', (_, id, body, expected) => {
    expect(anew(id, body)).toBe(expected);
  });

  test('the very same bytes when it is the caller’s already', () => {
    const body = utf8.encode('{"id":1,"result":2}');
    expect(readdress(callOf('1'), body)).toBe(body);
  });

  test('nothing but the id changes, whatever the answer is', () => {
    const key = fc.string({ maxLength: 5 }).filter(one => one !== 'id' && one !== '__proto__');
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.jsonValue()),
        fc.option(fc.jsonValue()),
        fc.jsonValue(),
        (members, before, id) => {
          const whole = before === null ? members : { ...members, id: before };
          const after: unknown = JSON.parse(anew(JSON.stringify(id), JSON.stringify(whole)));
          expect(after).toEqual({
            ...JSON.parse(JSON.stringify(members)),
            id: JSON.parse(JSON.stringify(id)),
          });
          expect(JSON.parse(anew(undefined, JSON.stringify(whole)))).toEqual(
            JSON.parse(JSON.stringify(members)),
          );
        },
      ),
    );
  });
});
