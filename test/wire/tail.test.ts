import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tail } from '../../src/wire/tail.ts';
import { soundAnswer, soundAnswers } from './answers.ts';
import { bytesOf, mutated, valueText } from './json-texts.ts';

const window = 1_024;
const look = (text: string, id: string | undefined = '7') => tail(bytesOf(text).slice(-window), id);
const body = `[${Array(400).fill('"0xab"').join(',')}]`;

/** Of a cut JSON text. */
function endsInsideText(part: Uint8Array): boolean {
  let inside = false;
  for (let i = 0; i < part.length; i++) {
    if (part[i] === 0x5c) i++;
    else if (part[i] === 0x22) inside = !inside;
  }
  return inside;
}

describe('sound', () => {
  it('in every window of every sample', () => {
    for (const text of soundAnswers) {
      const bytes = bytesOf(text);
      const last = bytes.lastIndexOf(0x7d);
      for (let from = 0; from <= last; from++) {
        const fault = tail(bytes.subarray(from), '7');
        if (fault !== undefined) expect.fail(`${fault}: ${text.slice(from)}`);
      }
    }
  });

  it('in every window of any answer', () => {
    fc.assert(
      fc.property(fc.constantFrom('7', '"a"', 'null', '-1.5e3'), fc.gen(), (id, gen) => {
        const bytes = bytesOf(gen(soundAnswer, id));
        for (let from = 0; from <= bytes.lastIndexOf(0x7d); from++) {
          const fault = tail(bytes.subarray(from), id);
          if (fault !== undefined) expect.fail(fault);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('an id longer than the window cannot be told', () => {
    expect(look(`{"result":${body},"id":"${'a'.repeat(2_000)}"}`)).toBeUndefined();
  });

  it('without an id of the caller', () => {
    expect(tail(bytesOf(`{"result":${body},"id":9}`), undefined)).toBeUndefined();
  });

  it('unknown members behind the result', () => {
    expect(look(`{"result":${body},"usage":{"error":1,"id":2},"id":7,"took":0.5}`)).toBeUndefined();
  });
});

describe('faults', () => {
  it.each([
    [
      'an error behind the result',
      `{"id":7,"result":${body},"error":{"code":-1,"message":"}"}}`,
      'an error stands beside',
    ],
    ['an error, then the id', `{"result":${body},"error":"timeout","id":7}`, 'an error stands beside'],
    ['an error written with escapes', `{"result":${body},"err\\u006fr":"timeout"}`, 'an error stands beside'],
    ['an error that is false', `{"result":${body},"error":false}`, 'an error stands beside'],
    ['another id', `{"result":${body},"id":8}`, 'another id'],
    ['an id of another type', `{"result":${body},"id":"7"}`, 'another id'],
    ['id null', `{"result":${body},"id":null,"jsonrpc":"2.0"}`, 'another id'],
    ['an id that is an object', `{"result":${body},"id":{"a":7}}`, 'another id'],
    ['two results', `{"id":7,"result":1,"result":{"a":"}"}}`, 'two results'],
    ['nothing', '', 'before its last brace'],
    ['white space', ' \n', 'before its last brace'],
    ['cut in the result', `{"id":7,"result":${body}`, 'before its last brace'],
    ['cut in a text', `{"id":7,"result":"0x${'0'.repeat(2_000)}`, 'before its last brace'],
    ['a proxy that adds its page', `{"id":7,"result":${body}}<html>`, 'before its last brace'],
    [
      'cut behind an object of the result',
      `{"id":7,"result":[${Array(90).fill('{"a":1,"b":[2]}').join(',')}`,
      'ends inside',
    ],
    ['cut behind an empty object', `{"id":7,"result":[${Array(90).fill('{}').join(',')}`, 'ends inside'],
    ['cut behind a brace inside a text', `{"id":7,"result":"${'x'.repeat(2_000)} {}`, 'ends inside'],
    ['a list closed by a brace', `{"id":7,"result":${body.slice(0, -1)}}`, 'no JSON'],
    ['a comma before the brace', `{"result":${body},"id":7,}`, 'no JSON'],
    ['a colon before the brace', `{"result":${body},"id":}`, 'no JSON'],
    ['a word that is none', `{"result":${body},"id":7,"x":nul}`, 'no JSON'],
    ['no comma between members', `{"result":${body} "id":7}`, 'no JSON'],
    ['a key without quotes', `{"result":${body},id:7}`, 'no JSON'],
    ['a quote with a backslash for its end', `{"result":${body},"id\\":7}`, 'no JSON'],
    ['brackets that do not match', `{"result":${body},"x":[1}}`, 'no JSON'],
  ])('%s', (_, text, fault) => {
    expect(look(text)).toContain(fault);
  });

  it('no part of an answer that is seen whole is sound, but for a brace inside a text that may be one', () => {
    function holds(text: string): void {
      const bytes = bytesOf(text);
      for (let size = 0; size <= bytes.lastIndexOf(0x7d); size++) {
        const part = bytes.subarray(0, size);
        if (!endsInsideText(part) && tail(part, '7') === undefined) expect.fail(text.slice(0, size));
      }
    }
    soundAnswers.forEach(holds);
    fc.assert(fc.property(soundAnswer('7'), holds), { numRuns: 100 });
  });

  it('cut at any byte, no window without a last brace is sound', () => {
    for (const text of soundAnswers) {
      const bytes = bytesOf(text);
      for (let size = 0; size < bytes.length; size++) {
        const part = bytes.subarray(Math.max(0, size - 40), size);
        if (!/\}\s*$/.test(new TextDecoder().decode(part))) expect(tail(part, '7')).toBeDefined();
      }
    }
  });

  it('never throws, whatever comes', () => {
    fc.assert(
      fc.property(mutated(valueText), fc.constantFrom('1', '"a"', undefined), (bytes, id) => {
        const fault = tail(bytes, id);
        expect(fault === undefined || fault.length < 80).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
