import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Call, Method, Opened, OpenOptions } from '../../src/chains/family.ts';
import {
  faultBody,
  join,
  openJsonRpc,
  peekReply,
  probeCall,
  readReply,
  split,
  tailReply,
} from '../../src/chains/jsonrpc.ts';
import { errors, type Fault } from '../../src/core/errors.ts';
import { bytesOf } from '../wire/json-texts.ts';

const decoder = new TextDecoder();
const options: OpenOptions = { maxDepth: 10, maxBatch: 1_000, development: false };

const table: Readonly<Record<string, Method>> = {
  read: { kind: 'read' },
  send: { kind: 'broadcast' },
  key: { kind: 'refused', why: 'it carries a key' },
};
const lookup = (method: string): Method => table[method] ?? { kind: 'read', unknown: true };

function open(text: string, target = '', verb = 'POST', path = ''): Opened {
  return openJsonRpc({ verb, target, body: bytesOf(text) }, options, lookup, path);
}

function callsOf(opened: Opened): readonly Call[] {
  if (opened.form === 'single') return [opened.call];
  return opened.form === 'batch' ? opened.calls : [];
}

function paramsOf(call: Call): unknown {
  return call.paramsAt < 0
    ? undefined
    : JSON.parse(decoder.decode(call.text.subarray(call.paramsAt, call.paramsEnd)));
}

function only(text: string): Call {
  const call = callsOf(open(text))[0];
  if (call === undefined) throw new Error('no call');
  return call;
}

describe('openJsonRpc', () => {
  it('gives a single call its own bytes, untouched', () => {
    const text = ' {"id": 1, "method":"read" ,"params":[1,{"a":2}]}\n';
    const call = only(text);
    expect(call).toMatchObject({ method: 'read', spec: { kind: 'read' }, id: '1', verb: 'POST', path: '' });
    expect(decoder.decode(call.text)).toBe(text.trim());
    expect(paramsOf(call)).toEqual([1, { a: 2 }]);
  });

  it('a call that is the whole body is the body itself', () => {
    const body = bytesOf('{"id":1,"method":"read"}');
    const opened = openJsonRpc({ verb: 'POST', target: '', body }, options, lookup, '');
    expect(callsOf(opened)[0]?.text).toBe(body);
    expect(callsOf(opened)[0]).toMatchObject({ paramsAt: -1, paramsEnd: -1 });
  });

  it('gives each call of a batch its own bytes', () => {
    const opened = open(
      '[ {"id":1,"method":"read","params":["x"]} , {"params":{"y":1},"id":"1","method":"send"} ]',
    );
    expect(opened.form).toBe('batch');
    expect(
      callsOf(opened).map(call => [call.method, call.id, decoder.decode(call.text), paramsOf(call)]),
    ).toEqual([
      ['read', '1', '{"id":1,"method":"read","params":["x"]}', ['x']],
      ['send', '"1"', '{"params":{"y":1},"id":"1","method":"send"}', { y: 1 }],
    ]);
  });

  it('asks the family what the method is, exactly as it is written', () => {
    expect(only('{"id":1,"method":"key"}').spec.kind).toBe('refused');
    expect(only('{"id":1,"method":"Send"}').spec).toEqual({ kind: 'read', unknown: true });
    expect(only('{"id":1,"method":"__proto__"}').method).toBe('__proto__');
  });

  it.each([
    ['GET at the root', '', 'GET', ''],
    ['GET with a body', '', 'GET', '{"id":1,"method":"read"}'],
    ['PUT', '', 'PUT', '{"id":1,"method":"read"}'],
    ['another path', '/x', 'POST', '{"id":1,"method":"read"}'],
    ['a slash', '/', 'POST', '{"id":1,"method":"read"}'],
    ['a query', '?a=1', 'POST', '{"id":1,"method":"read"}'],
    ['another case of the path', '/JSONRPC', 'POST', '{"id":1,"method":"read"}'],
  ])('%s is not found', (_, target, verb, text) => {
    expect(open(text, target, verb, '/jsonrpc')).toMatchObject({ form: 'refused', reason: 'not_found' });
  });

  it("the family's own path is appended to the endpoint's, wherever the client sent it", () => {
    for (const target of ['', '/jsonrpc'])
      expect(callsOf(open('{"id":1,"method":"read"}', target, 'POST', '/jsonrpc'))[0]?.path).toBe('/jsonrpc');
  });

  it('what the envelope refuses is refused, with the id where it is known', () => {
    expect(open('{"id":5,"method":1}')).toEqual({
      form: 'refused',
      reason: 'invalid_request',
      message: 'the method is no string',
      id: '5',
    });
    expect(open('{')).toMatchObject({ form: 'refused', reason: 'parse_error' });
    expect(open('[{"id":1,"method":"read"},{"id":1,"method":"read"}]')).toMatchObject({
      reason: 'invalid_request',
    });
  });

  describe('notifications', () => {
    it('a single one is silent', () => {
      expect(open('{"method":"read"}')).toEqual({ form: 'silent' });
      expect(open('{"method":"key"}')).toEqual({ form: 'silent' });
    });

    it('an id that is null is an id', () => {
      expect(open('{"id":null,"method":"read"}')).toMatchObject({ form: 'single', call: { id: 'null' } });
    });

    it('a batch of nothing else is silent', () => {
      expect(open('[{"method":"read"},{"method":"other"}]')).toEqual({ form: 'silent' });
    });

    it('in a mixed batch they are left out', () => {
      const opened = open('[{"method":"read"},{"id":7,"method":"read"},{"method":"read"}]');
      expect(opened.form).toBe('batch');
      expect(callsOf(opened).map(call => call.id)).toEqual(['7']);
    });

    it.each(['{"method":"send","params":["0x"]}', '[{"id":1,"method":"read"},{"method":"send"}]'])(
      'a broadcast without an id is refused: %s',
      text => {
        expect(open(text)).toEqual({
          form: 'refused',
          reason: 'invalid_request',
          message: 'a broadcast needs an id: its outcome could not be told',
        });
      },
    );
  });
});

describe('batches up and down', () => {
  const calls = callsOf(
    open(
      '[{"id":1,"method":"read"},{"id":"1","method":"read"},{"id":null,"method":"read"},{"id":2.0,"method":"read"}]',
    ),
  );
  const down = (text: string) => split(calls, bytesOf(text))?.map(slice => slice && decoder.decode(slice));

  it('join is one array of the calls as they came, of one call too', () => {
    expect(decoder.decode(join(calls))).toBe(
      '[{"id":1,"method":"read"},{"id":"1","method":"read"},{"id":null,"method":"read"},{"id":2.0,"method":"read"}]',
    );
    expect(decoder.decode(join(calls.slice(0, 1)))).toBe('[{"id":1,"method":"read"}]');
  });

  it('answers are found by id, of the type it came with, in any order', () => {
    expect(
      down(
        ' [{"result":"n","id":null}, {"id":2,"result":{"id":1}} ,{"id":"1","result":"s"},{"id":1,"result":1}]\n',
      ),
    ).toEqual([
      '{"id":1,"result":1}',
      '{"id":"1","result":"s"}',
      '{"result":"n","id":null}',
      '{"id":2,"result":{"id":1}}',
    ]);
  });

  it('missing, unknown and doubled ids leave their calls without an answer', () => {
    expect(down('[{"id":1,"result":1},{"id":9,"result":1},{"id":2,"result":1},{"id":2,"result":2}]')).toEqual(
      ['{"id":1,"result":1}', undefined, undefined, undefined],
    );
    expect(down('[{"id":1,"result":1},{"id":1,"result":1},{"id":1,"result":1}]')?.[0]).toBeUndefined();
    expect(down('[]')).toEqual([undefined, undefined, undefined, undefined]);
    expect(down('[5,"x",null,[{"id":1}],{"id":{"a":1}},{"id":[1]},{"id":true}]')).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('an id written with escapes or behind a byte order mark is found', () => {
    expect(down('\ufeff[{"i\\u0064":"\\u0031","result":1}]')?.[1]).toBe('{"i\\u0064":"\\u0031","result":1}');
  });

  it.each([
    [
      'one error for all',
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"batch limit 100 exceeded"}}',
    ],
    ['words', 'error message'],
    ['nothing', ''],
    ['a cut array', '[{"id":1,"result":1},{"id":"1"'],
    ['a cut array, between its items', '[{"id":1,"result":1}'],
    ['text behind the array', '[{"id":1,"result":1}]<html>'],
    ['no JSON in an item', '[{"id":1,"result":1,}]'],
    ['no JSON in an item that is a list', '[[1,]]'],
  ])('%s is no batch answer', (_, text) => {
    expect(down(text)).toBeUndefined();
  });

  it('whatever ids a client has: every call gets its own answer back', () => {
    const ids = fc.uniqueArray(fc.oneof(fc.integer(), fc.string(), fc.constant(null)), { minLength: 1 });
    fc.assert(
      fc.property(ids, fc.nat(), (list, turn) => {
        const opened = open(
          JSON.stringify(list.map((id, i) => ({ jsonrpc: '2.0', id, method: 'read', params: [i] }))),
        );
        const own = callsOf(opened);
        const up: unknown = JSON.parse(decoder.decode(join(own)));
        if (!Array.isArray(up)) expect.fail('no array');
        const answers = up.map(item => ({ id: item.id, result: item.params[0] }));
        const turned = [...answers.slice(turn % answers.length), ...answers.slice(0, turn % answers.length)];
        const slices = split(own, bytesOf(JSON.stringify(turned)));
        expect(slices?.map(slice => slice && JSON.parse(decoder.decode(slice)))).toEqual(answers);
      }),
    );
  });
});

describe('answers to one call', () => {
  const call = only('{"id":"a","method":"read"}');
  const answer = (text: string) => ({ status: 200, headers: {}, body: bytesOf(text) });

  it('are compared with its id at both ends and as a whole', () => {
    expect(peekReply(call, bytesOf('{"id":"a","result":["'))).toBe('commit');
    expect(peekReply(call, bytesOf('{"id":"b","result":["'))).toBe('hold');
    expect(tailReply(call, bytesOf('x"],"id":"a"}'))).toBeUndefined();
    expect(tailReply(call, bytesOf('x"],"id":"b"}'))).toBe('the answer carries another id');
    expect(readReply(call, answer('{"id":"a","result":1}')).kind).toBe('result');
    expect(readReply(call, answer('{"id":"b","result":1}'))).toMatchObject({ what: 'wrong_id' });
  });
});

describe('faultBody', () => {
  const fault: Fault = {
    reason: 'all_failed',
    message: 'both endpoints failed',
    chain: 'ethereum',
    requestId: 'r-1',
    attempts: [{ endpoint: 'own-node', verdict: 'transport', ms: 12 }],
  };

  it("has the caller's id and the members that every family has", () => {
    expect(JSON.parse(faultBody(only('{"id":"a","method":"read"}'), fault))).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      error: {
        code: -32005,
        message: 'both endpoints failed',
        data: {
          source: 'rpcgw',
          reason: 'all_failed',
          chain: 'ethereum',
          requestId: 'r-1',
          attempts: [{ endpoint: 'own-node', verdict: 'transport', ms: 12 }],
        },
      },
    });
  });

  it('the id comes back as it was written', () => {
    expect(faultBody(only('{"id":1.0,"method":"read"}'), fault)).toContain('"id":1.0,');
    expect(faultBody(undefined, { ...fault, id: '"\\u0061"' })).toContain('"id":"\\u0061",');
    expect(faultBody(undefined, fault)).toContain('"id":null,');
  });

  it.each(['parse_error', 'no_endpoint', 'not_sent', 'internal'] as const)(
    'the code of %s is from the table',
    reason => {
      expect(JSON.parse(faultBody(undefined, { ...fault, reason })).error.code).toBe(errors[reason].rpc);
    },
  );

  it('unless the family has its own', () => {
    expect(JSON.parse(faultBody(undefined, { ...fault, reason: 'not_sent' }, -32603)).error.code).toBe(
      -32603,
    );
  });
});

describe('probeCall', () => {
  it("is a call like a client's", () => {
    const own = probeCall('read', ['é"', { a: [1] }], lookup);
    const same = only(decoder.decode(own.text));
    expect(own).toEqual(same);
    expect(paramsOf(own)).toEqual(['é"', { a: [1] }]);
    expect(own).toMatchObject({ id: '1', verb: 'POST', path: '', spec: { kind: 'read' } });
  });

  it('may go to a path of its own', () => {
    expect(probeCall('read', [], lookup, '/jsonrpc')).toMatchObject({ path: '/jsonrpc' });
  });
});
