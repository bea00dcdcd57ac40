import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest } from '../../src/wire/request.ts';
import { bytesOf, mutated } from './json-texts.ts';
import { callText, readAlike, requestText, roomy, told } from './requests.ts';

const limits = { maxDepth: 10, maxBatch: 1_000 };

function read(text: string, own = limits) {
  return readRequest(bytesOf(text), own);
}

describe('a single call', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}', 'eth_chainId', '1'],
    ['{"method":"ledger"}', 'ledger', undefined],
    [' \r\n{ "id" : "a-1" , "method" : "m" }\t', 'm', '"a-1"'],
    ['{"id":null,"method":"m","params":{}}', 'm', 'null'],
    ['{"id":-1.50e+2,"method":"m"}', 'm', '-1.50e+2'],
    ['{"id":18446744073709551615,"method":"m"}', 'm', '18446744073709551615'],
    ['{"id":"\\u0031","method":"m"}', 'm', '"\\u0031"'],
    ['{"id":"ключ 😀","method":"m"}', 'm', '"ключ 😀"'],
    ['{"id":0,"method":"","extra":{"method":1,"Method":2},"jsonrpc":1.0}', '', '0'],
    [`{"id":"${'f'.repeat(100)}","method":"${'m'.repeat(100)}"}`, 'm'.repeat(100), `"${'f'.repeat(100)}"`],
  ])('%s', (text, method, id) => {
    expect(read(text)).toMatchObject({ form: 'single', envelope: { method, id } });
  });

  it('tells positions in the body', () => {
    const text = ' {"params" : [1, 2] ,"method":"m"} ';
    expect(read(text)).toEqual({
      form: 'single',
      envelope: { method: 'm', id: undefined, paramsAt: 13, paramsEnd: 19, at: 1, end: text.length - 1 },
    });
    expect(read('{"method":"m"}')).toMatchObject({ envelope: { paramsAt: -1, paramsEnd: -1 } });
  });
});

describe('refused, nothing forwarded', () => {
  const call = '"id":1,"method":"m"';
  it.each([
    ['an empty body', '', 'parse_error'],
    ['white space only', ' \n', 'parse_error'],
    ['a word', 'hello', 'parse_error'],
    ['HTML', '<html>', 'parse_error'],
    ['a cut text', `{${call}`, 'parse_error'],
    ['a trailing comma', `{${call},}`, 'parse_error'],
    ['single quotes', "{'method':'m'}", 'parse_error'],
    ['no JSON after a repeated key', `{${call},"id":2,]`, 'parse_error'],
    ['a cut batch', `[{${call}},`, 'parse_error'],
    ['a batch that ends in a comma', `[{${call}},]`, 'parse_error'],
    ['no JSON after an item that is no call', `[1,{]`, 'parse_error'],
    ['a number', '5', 'invalid_request'],
    ['a text', '"eth_chainId"', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['an empty object', '{}', 'invalid_request'],
    ['an empty batch', '[ ]', 'invalid_request'],
    ['a byte order mark', `\ufeff{${call}}`, 'invalid_request'],
    ['trailing text', `{${call}} x`, 'invalid_request'],
    ['a second request', `{${call}}{${call}}`, 'invalid_request'],
    ['text behind a batch', `[{${call}}]]`, 'invalid_request'],
    ['a repeated method', `{${call},"method":"m"}`, 'invalid_request'],
    ['a repeated id', `{${call},"id":1}`, 'invalid_request'],
    ['repeated params', `{${call},"params":[],"params":[]}`, 'invalid_request'],
    ['a repeated jsonrpc', `{"jsonrpc":"2.0",${call},"jsonrpc":"2.0"}`, 'invalid_request'],
    ['a repeated unknown key', `{${call},"x":1,"x":1}`, 'invalid_request'],
    ['Method', `{${call},"Method":"n"}`, 'invalid_request'],
    ['METHOD alone', `{"id":1,"METHOD":"n"}`, 'invalid_request'],
    ['ID', `{${call},"ID":2}`, 'invalid_request'],
    ['Params', `{${call},"Params":[]}`, 'invalid_request'],
    ['JSONRPC', `{${call},"JSONRPC":"2.0"}`, 'invalid_request'],
    ['paramſ', `{${call},"paramſ":[]}`, 'invalid_request'],
    ['full-width method', `{${call},"ｍｅｔｈｏｄ":"n"}`, 'invalid_request'],
    ['a circled letter', `{${call},"ⓜethod":"n"}`, 'invalid_request'],
    ['an escaped key', `{"id":1,"m\\u0065thod":"m"}`, 'invalid_request'],
    ['an escaped unknown key', `{${call},"a\\u0062":1}`, 'invalid_request'],
    ['an escaped method', `{"id":1,"method":"eth\\u005fcall"}`, 'invalid_request'],
    ['an escaped slash in the method', `{"id":1,"method":"a\\/b"}`, 'invalid_request'],
    ['no method', '{"id":1,"params":[]}', 'invalid_request'],
    ['a method that is a number', '{"id":1,"method":1}', 'invalid_request'],
    ['a method that is null', '{"id":1,"method":null}', 'invalid_request'],
    ['an id that is true', '{"id":true,"method":"m"}', 'invalid_request'],
    ['an id that is a list', '{"id":[1],"method":"m"}', 'invalid_request'],
    ['an id that is an object', '{"id":{},"method":"m"}', 'invalid_request'],
    ['params that are a text', `{${call},"params":"x"}`, 'invalid_request'],
    ['params that are null', `{${call},"params":null}`, 'invalid_request'],
    ['a batch in a batch', `[[{${call}}]]`, 'invalid_request'],
    ['a number in a batch', `[{${call}},1]`, 'invalid_request'],
    ['an item without method', `[{${call}},{"id":2}]`, 'invalid_request'],
    ['an item with Method', `[{${call},"Method":"n"}]`, 'invalid_request'],
    ['equal ids', `[{${call}},{${call}}]`, 'invalid_request'],
    ['1 and 1.0', '[{"id":1,"method":"m"},{"id":1.0,"method":"m"}]', 'invalid_request'],
    ['10 and 1e1', '[{"id":10,"method":"m"},{"id":1e1,"method":"m"}]', 'invalid_request'],
    ['0 and -0', '[{"id":0,"method":"m"},{"id":-0,"method":"m"}]', 'invalid_request'],
    ['"a" and its escape', '[{"id":"a","method":"m"},{"id":"\\u0061","method":"m"}]', 'invalid_request'],
    ['two null ids', '[{"id":null,"method":"m"},{"id":null,"method":"m"}]', 'invalid_request'],
    [
      'ids that are one double',
      '[{"id":9007199254740992,"method":"m"},{"id":9007199254740993,"method":"m"}]',
      'invalid_request',
    ],
    ['a body nested too deep', `{${call},"params":${'['.repeat(10)}${']'.repeat(10)}}`, 'too_large'],
    ['a batch nested too deep', `[{${call},"params":${'['.repeat(9)}${']'.repeat(9)}}]`, 'too_large'],
    ['a very deep text', '['.repeat(100_000), 'too_large'],
  ])('%s', (_, text, reason) => {
    expect(read(text)).toMatchObject({ form: 'refused', reason });
  });

  it('depth counts the whole body', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(read(`{${call},"params":${nested(9)}}`)).toMatchObject({ form: 'single' });
    expect(read(`[{${call},"params":${nested(8)}}]`)).toMatchObject({ form: 'batch' });
    for (const [depth, form] of [
      [0, 'refused'],
      [1, 'refused'],
      [2, 'single'],
    ] as const)
      expect(read(`{${call},"params":[]}`, { maxDepth: depth, maxBatch: 1 }).form).toBe(form);
    expect(read(`[{${call}}]`, { maxDepth: 1, maxBatch: 1 })).toMatchObject({ reason: 'too_large' });
  });

  it('invalid UTF-8 in any string', () => {
    const bytes = bytesOf(`{${call},"params":["?"]}`);
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(readRequest(bytes, limits)).toMatchObject({ reason: 'parse_error' });
  });

  it('UTF-16', () => {
    const bytes = Uint8Array.from(bytesOf(`{${call}}`), byte => byte);
    const wide = new Uint8Array(2 * bytes.length);
    bytes.forEach((byte, i) => {
      wide[2 * i] = byte;
    });
    expect(readRequest(wide, limits)).toMatchObject({ reason: 'parse_error' });
  });

  it('more items than allowed, before anything else is said of them', () => {
    const batch = (count: number) =>
      `[${Array.from({ length: count }, (_, id) => `{"id":${id},"method":"m"}`)}]`;
    expect(read(batch(1_000)).form).toBe('batch');
    expect(read(batch(1_001))).toMatchObject({ reason: 'too_large' });
    expect(read('[1,2,3]', { maxDepth: 10, maxBatch: 2 })).toMatchObject({ reason: 'too_large' });
  });

  it('names the item', () => {
    expect(read(`[{${call}},{"id":2}]`)).toMatchObject({
      message: 'item 2 of the batch: the method is missing',
    });
  });

  it.each([
    ['no method', '{"id":7}', '7'],
    ['params of the wrong type', '{"id":"x","method":"m","params":1}', '"x"'],
    ['a variant of another key', '{"id":7,"Method":"m"}', undefined],
    ['a repeated id', '{"id":7,"id":7,"method":"m"}', undefined],
    ['a repeated method', '{"method":"a","method":"b","id":7}', '7'],
    ['an id of the wrong type', '{"id":[],"method":"m"}', undefined],
    ['no JSON', '{"id":7', undefined],
    ['a batch', '[{"id":7}]', undefined],
  ])('gives the id back where there is one and no other: %s', (_, text, id) => {
    const request = read(text);
    expect(request.form).toBe('refused');
    expect('id' in request ? request.id : undefined).toBe(id);
  });
});

describe('a batch', () => {
  it('keeps order, ids of every type and notifications', () => {
    const text =
      '[{"id":1,"method":"a"},{"id":"1","method":"b"},{"method":"c"},{"id":null,"method":"d"},{"method":"e"}]';
    expect(told(bytesOf(text), limits)).toMatchObject({
      form: 'batch',
      calls: [
        { method: 'a', id: 1 },
        { method: 'b', id: '1' },
        { method: 'c' },
        { method: 'd', id: null },
        {},
      ],
    });
  });

  it('may be of one', () => {
    expect(read('[{"id":1,"method":"a"}]')).toMatchObject({ form: 'batch' });
  });
});

describe('agrees with JSON.parse', () => {
  it.each([
    ['on every request it takes', requestText.map(bytesOf), 2_000],
    ['with bytes changed', mutated(requestText), 5_000],
  ] as const)('%s', (_, requests, numRuns) => {
    let taken = 0;
    fc.assert(
      fc.property(requests, bytes => {
        if (readAlike(bytes)) taken++;
      }),
      { numRuns },
    );
    // Else the property would say nothing.
    expect(taken).toBeGreaterThan(numRuns / 50);
  });

  it('cut at every byte: no proper part of a request is one', () => {
    fc.assert(
      fc.property(callText, text => {
        const bytes = bytesOf(text);
        for (let size = 0; size < bytes.length; size++)
          expect(readRequest(bytes.subarray(0, size), roomy).form).toBe('refused');
      }),
      { numRuns: 200 },
    );
  });

  it('takes every plain call', () => {
    const plain = fc.record(
      {
        jsonrpc: fc.constant('2.0'),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.stringMatching(/^[a-z]{1,9}_[a-zA-Z0-9]{1,20}$/),
        params: fc.oneof(
          fc.array(fc.jsonValue({ maxDepth: 3 })),
          fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        ),
      },
      { requiredKeys: ['method'] },
    );
    fc.assert(
      fc.property(plain, fc.nat(4), (call, indent) => {
        const bytes = bytesOf(JSON.stringify(call, undefined, indent));
        expect(told(bytes, limits)).toEqual({
          form: 'single',
          calls: [
            {
              ...JSON.parse(JSON.stringify({ ...call, jsonrpc: undefined })),
              own: JSON.parse(JSON.stringify(call)),
            },
          ],
        });
      }),
    );
  });
});
