import { describe, expect, it } from 'vitest';
import { errorText, resultText, stitch } from '../../src/wire/reply.ts';
import { bytesOf } from './json-texts.ts';

const decoder = new TextDecoder();

describe('answers of our own', () => {
  it.each(['1', '"a\\u0062"', 'null', '18446744073709551615', '1.0'])('carry the id as it came: %s', id => {
    expect(resultText(id, '{"a":[]}')).toBe(`{"jsonrpc":"2.0","id":${id},"result":{"a":[]}}`);
    expect(errorText(id, { code: -32600, message: 'a "b"' })).toBe(
      `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"a \\"b\\""}}`,
    );
  });

  it('an error may carry data', () => {
    expect(JSON.parse(errorText('1', { code: 1, message: 'm', data: { source: 'rpcgw' } }))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 1, message: 'm', data: { source: 'rpcgw' } },
    });
  });
});

describe('stitch', () => {
  it.each([
    [[], '[]'],
    [['{"id":1}'], '[{"id":1}]'],
    [['{"id":1}', '2', '"é"'], '[{"id":1},2,"é"]'],
  ])('%j', (items, text) => {
    expect(decoder.decode(stitch(items.map(bytesOf)))).toBe(text);
  });
});
