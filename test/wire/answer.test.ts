import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/wire/answer.ts';
import { soundAnswer, soundAnswers } from './answers.ts';
import { bytesOf, isRecord, mutated, parsed, valueText } from './json-texts.ts';

const decoder = new TextDecoder();

function read(text: string, id: string | undefined = '1') {
  const body = bytesOf(text);
  const reply = readAnswer(body, id);
  if (reply.kind !== 'result') return reply;
  return {
    kind: reply.kind,
    value: JSON.parse(decoder.decode(body.subarray(reply.span.at, reply.span.end))) as unknown,
    isNull: reply.isNull,
  };
}

describe('a result', () => {
  it.each([
    ['plain', '{"jsonrpc":"2.0","id":1,"result":"0x1b4"}', '0x1b4'],
    ['result before id', '{"jsonrpc":"2.0","result":"0x1b4","id":1}', '0x1b4'],
    ['white space and a line end', ' { "id" : 1 , "result" : [ 1 ] } \r\n', [1]],
    ['behind a byte order mark', '\ufeff{"id":1,"result":true}', true],
    ['beside error null, as Bitcoin answers', '{"result":{"a":1},"error":null,"id":1}', { a: 1 }],
    [
      'with error words inside',
      '{"id":1,"result":{"error":{"code":1},"id":2}}',
      { error: { code: 1 }, id: 2 },
    ],
    ['without id', '{"result":[]}', []],
    ['with a key written with escapes', '{"jsonrpc":"2.0","id":1,"\\u0072esult":"0x2105"}', '0x2105'],
    ['id 1.0', '{"id":1.0,"result":0}', 0],
    ['false', '{"id":1,"result":false}', false],
    ['empty text', '{"id":1,"result":""}', ''],
    ['unknown members, one of them twice', '{"id":1,"x":1,"result":2,"x":{"error":3}}', 2],
  ])('%s', (_, text, value) => {
    expect(read(text)).toEqual({ kind: 'result', value, isNull: false });
  });

  it('null is a result, and is told', () => {
    expect(read('{"id":1,"result":null}')).toEqual({ kind: 'result', value: null, isNull: true });
    expect(read('{"id":1,"result":null,"error":null}')).toMatchObject({ kind: 'result', isNull: true });
  });

  it('nested as deep as a trace', () => {
    const trace = `${'{"calls":['.repeat(3_000)}${']}'.repeat(3_000)}`;
    expect(readAnswer(bytesOf(`{"id":1,"result":${trace}}`), '1').kind).toBe('result');
  });
});

describe('ids', () => {
  it.each([
    ['1', '1', 'result'],
    ['1', '1.0', 'result'],
    ['"a"', '"\\u0061"', 'result'],
    ['null', 'null', 'result'],
    ['9007199254740993', '9007199254740992', 'result'],
    [undefined, '9', 'result'],
    ['1', '"1"', 'wrong_id'],
    ['"1"', '1', 'wrong_id'],
    ['1', '2', 'wrong_id'],
    ['1', 'null', 'wrong_id'],
    ['null', '1', 'wrong_id'],
    ['"a"', '"A"', 'wrong_id'],
    ['1', '[1]', 'wrong_id'],
    ['1', '{"a":1}', 'wrong_id'],
    ['1', 'true', 'wrong_id'],
  ])('asked with %s, answered with %s: %s', (asked, answered, what) => {
    const reply = readAnswer(bytesOf(`{"id":${answered},"result":1}`), asked);
    expect(reply.kind === 'broken' ? reply.what : reply.kind).toBe(what);
  });

  it('an error may come without an id or with null, never with another', () => {
    const error = '"error":{"code":1,"message":"m"}';
    expect(read(`{${error}}`).kind).toBe('error');
    expect(read(`{"id":null,${error}}`).kind).toBe('error');
    expect(read(`{"id":1,${error}}`).kind).toBe('error');
    expect(read(`{"id":2,${error}}`)).toMatchObject({ kind: 'broken', what: 'wrong_id' });
    expect(read('{"id":null,"message":"No API key found in request"}').kind).toBe('error');
  });
});

describe('an error', () => {
  it.each([
    [
      'an object',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"nope","data":{"a":[1]}}}',
      { code: -32000, message: 'nope', data: { a: [1] }, shape: 'object' },
      '{"code":-32000,"message":"nope","data":{"a":[1]}}',
    ],
    [
      'beside a null result',
      '{"result":null,"error":{"code":-8,"message":"m"},"id":1}',
      { code: -8, message: 'm' },
      '{"code":-8,"message":"m"}',
    ],
    [
      'beside a result: the error counts',
      '{"id":1,"result":1,"error":{"code":2}}',
      { code: 2, message: '' },
      '{"code":2}',
    ],
    [
      'a code that is a text',
      '{"id":1,"error":{"code":"UNAVAILABLE"}}',
      { code: 'UNAVAILABLE' },
      '{"code":"UNAVAILABLE"}',
    ],
    [
      'a code of another type',
      '{"id":1,"error":{"code":[1],"message":{}}}',
      { code: undefined, message: '' },
      '{"code":[1],"message":{}}',
    ],
    ['an empty object', '{"id":1,"error":{}}', { code: undefined, message: '', data: undefined }, '{}'],
    ['a number', '{"id":1,"error":5}', { code: undefined, message: '', shape: 'object' }, '5'],
    ['false', '{"id":1,"error":false,"result":1}', { message: '' }, 'false'],
    [
      'a bare text',
      '{"error":"Too many requests, please try again later."}',
      { code: undefined, message: 'Too many requests, please try again later.', shape: 'string' },
      '{"error":"Too many requests, please try again later."}',
    ],
    [
      'a bare text with a code and a message beside it',
      '{"error":"Unauthorized","code":401,"message":"no key"}',
      { code: 401, message: 'Unauthorized: no key', shape: 'string' },
      '{"error":"Unauthorized","code":401,"message":"no key"}',
    ],
    [
      'no envelope',
      '{"code":-32007,"message":"50/second request limit reached"}',
      { code: -32007, message: '50/second request limit reached', shape: 'object' },
      '{"code":-32007,"message":"50/second request limit reached"}',
    ],
    [
      'a message alone',
      '{\n  "message":"No API key found in request"\n}\n',
      { code: undefined, message: 'No API key found in request', shape: 'object' },
      '{\n  "message":"No API key found in request"\n}',
    ],
    ['a key written with escapes', '{"id":1,"err\\u006fr":{"code":3}}', { code: 3 }, '{"code":3}'],
  ])('%s', (_, text, told, own) => {
    expect(read(text)).toMatchObject({ kind: 'error', ...told, text: own });
  });

  it('what rules look through has a bound', () => {
    const reply = read(`{"id":1,"error":{"code":3,"message":"${'x'.repeat(100_000)}"}}`);
    expect(reply).toMatchObject({ kind: 'error', code: 3, message: 'x'.repeat(16_384) });
    expect('text' in reply && reply.text.length).toBe(16_384);
    expect(read(`<${'é'.repeat(100_000)}`)).toHaveProperty('text.length', 8_193);
  });
});

describe('broken', () => {
  it.each([
    ['nothing', '', 'empty'],
    ['white space', ' \r\n', 'empty'],
    ['a byte order mark', '\ufeff', 'empty'],
    ['a page', '<html>\n<head>', 'html'],
    ['a page behind white space', '\n<!DOCTYPE html>', 'html'],
    ['words', 'error code: 1015', 'text'],
    ['a word that begins like JSON', 'not found', 'text'],
    ['a bare JSON text', '"OK"', 'text'],
    ['a bare null', 'null', 'text'],
    ['a number', '404 page not found', 'text'],
    ['cut', '{"jsonrpc":"2.0","id":1,"result":{"conte', 'truncated'],
    ['cut behind the result', '{"id":1,"result":"0x1"', 'truncated'],
    ['a cut list', '[{"id":1', 'truncated'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":1}', 'no_result'],
    ['an empty object', '{}', 'no_result'],
    ['error null alone', '{"id":1,"error":null}', 'no_result'],
    ['error null and a message', '{"id":1,"error":null,"message":"m"}', 'no_result'],
    ['a message that is no text', '{"message":{"a":1}}', 'no_result'],
    ['another case', '{"id":1,"Result":1}', 'no_result'],
    ['a list', '[]', 'array'],
    ['a list of one answer', '[{"id":1,"result":1}]', 'array'],
    ['two results', '{"id":1,"result":1,"result":1}', 'not_json'],
    ['two results, one written with escapes', '{"id":1,"result":1,"\\u0072esult":2}', 'not_json'],
    ['two errors', '{"id":1,"error":null,"error":{"code":1}}', 'not_json'],
    ['two ids', '{"id":1,"id":2,"result":1}', 'not_json'],
    ['two answers', '{"id":1,"result":1}{"id":1,"result":1}', 'not_json'],
    ['a page behind the answer', '{"id":1,"result":1}<html>', 'not_json'],
    ['a trailing comma', '{"id":1,"result":1,}', 'not_json'],
    ['NaN', '{"id":1,"result":NaN}', 'not_json'],
    ['a list that is none', '[1}', 'not_json'],
    ['text behind a list', '[1]x', 'not_json'],
    ['deeper than any trace', `{"id":1,"result":${'['.repeat(200_000)}`, 'not_json'],
  ])('%s', (_, text, what) => {
    expect(read(text)).toMatchObject({ kind: 'broken', what });
  });

  it('tells the text', () => {
    expect(read('\n<html>1015</html>')).toMatchObject({ text: '<html>1015</html>' });
  });

  it('bytes that are no UTF-8', () => {
    const body = bytesOf('{"id":1,"result":"?"}');
    body[body.indexOf(0x3f)] = 0xc3;
    expect(readAnswer(body, '1')).toMatchObject({ what: 'not_json' });
  });

  it('cut at every byte, a sound answer is empty or truncated', () => {
    for (const text of soundAnswers) {
      const bytes = bytesOf(text);
      for (let size = 0; size <= bytes.lastIndexOf(0x7d); size++) {
        const reply = readAnswer(bytes.subarray(0, size), '7');
        const what = reply.kind === 'broken' ? reply.what : reply.kind;
        if (what !== (size === 0 ? 'empty' : 'truncated')) expect.fail(`${what} at ${size}`);
      }
    }
  });
});

describe('agrees with JSON.parse', () => {
  it('on the result of every sound answer', () => {
    fc.assert(
      fc.property(soundAnswer('7'), text => {
        const value: unknown = JSON.parse(text);
        expect(read(text, '7')).toEqual({
          kind: 'result',
          value: isRecord(value) ? value.result : undefined,
          isNull: false,
        });
      }),
      { numRuns: 500 },
    );
  });

  it('on anything: what it takes is JSON, and the result and the error are where the parser has them', () => {
    const answers = fc.oneof(mutated(soundAnswer('7')), mutated(valueText));
    fc.assert(
      fc.property(answers, body => {
        const reply = readAnswer(body, undefined);
        const reference = parsed(body[0] === 0xef ? body.subarray(3) : body);
        if (reply.kind === 'broken') return;
        if (!reference.ok || !isRecord(reference.value)) expect.fail('no JSON object');
        const { error, result } = reference.value;
        if (reply.kind === 'result') {
          expect(error ?? null).toBeNull();
          expect(JSON.parse(decoder.decode(body.subarray(reply.span.at, reply.span.end)))).toEqual(result);
          expect(reply.isNull).toBe(result === null);
        } else {
          expect(error !== undefined ? error : reference.value.message).not.toBeNull();
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
