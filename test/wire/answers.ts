/** Answers of a node for the tests of both ends of a stream: sound ones full of text that looks like trouble. */

import fc from 'fast-check';
import { nameText, spaceText, valueText } from './json-texts.ts';

const log =
  '{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","data":"0x01","id":9,"error":{"code":-1},"removed":false}';

/** All to id 7. */
export const soundAnswers: readonly string[] = [
  `{"jsonrpc":"2.0","id":7,"result":[${Array(20).fill(log).join(',')}]}`,
  `{"jsonrpc":"2.0","result":[${Array(20).fill(log).join(',')}],"id":7}\n`,
  `{"result":{"error":"x","nested":{"id":8,"error":{"code":1}},"list":[${Array(40).fill('{}').join(',')}]},"id":7,"jsonrpc":"2.0"}`,
  `{ "jsonrpc" : "2.0" , "id" : 7 , "result" : { "a" : [ ${Array(100).fill('1').join(' , ')} ] } , "error" : null } \r\n`,
  `{"id":7,"jsonrpc":"2.0","result":"${'\\"error\\":{\\"code\\":1},\\"id\\":9}'.repeat(20)}"}`,
  `{"id":7,"jsonrpc":"2.0","result":"${'\\\\'.repeat(100)}"}`,
  `{"id":7,"jsonrpc":"2.0","result":"${'}, {: ,'.repeat(40)}\\\\\\"","error":null}`,
  `{"id":7.0,"result":["${'é😀'.repeat(60)}",{"result":1,"error":{"message":"}"}}],"jsonrpc":"2.0"}`,
];

/** A sound answer to `id` (JSON text): its result is a list or an object, members in any order, space anywhere. */
export function soundAnswer(id: string): fc.Arbitrary<string> {
  const result = fc
    .array(valueText, { minLength: 1, maxLength: 6 })
    .chain(items =>
      fc.constantFrom(`[${items.join(',')}]`, `{${items.map((item, i) => `"k${i}":${item}`).join(' ,')}}`),
    );
  return fc
    .tuple(
      result,
      fc.constantFrom<readonly string[]>(
        [],
        ['"jsonrpc":"2.0"'],
        [`"id":${id}`, '"jsonrpc":"2.0"'],
        [`"id": ${id}`, '"error":null'],
      ),
      fc.tuple(nameText, valueText).map(([key, value]) => [`"x${key.slice(1)}`, value].join(':')),
      spaceText,
    )
    .chain(([value, others, extra, space]) =>
      fc
        .shuffledSubarray([`"result" :${value}`, ...others, extra], { minLength: others.length + 2 })
        .map(members => `{${space}${members.join(`${space},`)}${space}}${space}`),
    );
}
