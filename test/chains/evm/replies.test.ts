import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evm } from '../../../src/chains/evm/evm.ts';
import { replies } from '../../../src/chains/evm/replies.ts';
import type { Answer, Call } from '../../../src/chains/family.ts';
import { answeredOf, bytes } from '../cases.ts';
import { testRuleTable } from '../rule-table.ts';
import { callOf } from './calls.ts';

describe('table', () => {
  testRuleTable(evm, replies);
});

const context = { nowMs: 0, chain: 'ethereum' };
const read = callOf('eth_call', [{ to: `0x${'11'.repeat(20)}` }, 'latest']);
const old = callOf('eth_call', [{ to: `0x${'11'.repeat(20)}` }, '0x10']);
const send = callOf('eth_sendRawTransaction', ['0x02']);

function answer(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: bytes(typeof body === 'string' ? body : JSON.stringify(body)) };
}

function error(code: number | string, message: string, data?: unknown): Answer {
  return answer({ jsonrpc: '2.0', id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } });
}

describe('judge', () => {
  test('a plain result under another id is somebody else’s', () => {
    expect(evm.judge(read, answer({ jsonrpc: '2.0', id: 2, result: '0x' }), context)).toMatchObject({
      verdict: 'node_failure',
      rule: 'evm.wrong_id',
    });
  });

  test('a result under any status is a result, and takes a transaction', () => {
    const body = { jsonrpc: '2.0', id: 1, result: '0x01' };
    expect(evm.judge(read, answer(body, 503), context)).toEqual({ verdict: 'ok', rule: 'evm.result' });
    expect(evm.judge(send, answer(body, 503), context)).toEqual({
      verdict: 'ok',
      rule: 'evm.result',
      txOutcome: 'accepted',
    });
  });

  test('a long result is judged by its two ends, and a long answer that is cut is not one', () => {
    const whole = JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'ab'.repeat(20_000)}` });
    expect(evm.judge(read, answer(whole), context).verdict).toBe('ok');
    expect(evm.judge(read, answer(whole.slice(0, -3)), context).verdict).toBe('node_failure');
    const both = `${whole.slice(0, -1)},"error":{"code":3,"message":"execution reverted"}}`;
    expect(evm.judge(read, answer(both), context).verdict).toBe('app_error');
  });

  test('the same text is another thing at the head and in the past', () => {
    const gone = error(-32000, 'header not found');
    // Asked in turns: what was made of a text before must not be taken for all.
    for (const _ of [1, 2]) {
      expect(evm.judge(read, gone, context).verdict).toBe('node_failure');
      expect(evm.judge(old, gone, context).verdict).toBe('missing_history');
      expect(evm.judge(send, gone, context)).toMatchObject({ txOutcome: 'unknown' });
    }
  });

  test('only a refusal of the method as a whole may be remembered, and never for a broadcast', () => {
    const missing = error(-32601, 'the method eth_call does not exist/is not available');
    expect(evm.judge(read, missing, context)).toMatchObject({ verdict: 'unsupported', wholeMethod: true });
    expect(evm.judge(send, missing, context)).not.toHaveProperty('wholeMethod');
    const trace = callOf('debug_traceTransaction', [`0x${'ab'.repeat(32)}`, {}]);
    for (const part of [
      error(-32612, 'Custom tracers are disabled by default.'),
      error(-32601, 'tracer fooTracer is not supported'),
      error(-32601, 'unsupported parameter: timeout'),
    ]) {
      const judged = evm.judge(trace, part, context);
      expect(judged.verdict).toBe('unsupported');
      expect(judged).not.toHaveProperty('wholeMethod');
    }
    const logs = callOf('eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x2' }]);
    const judged = evm.judge(logs, error(-32701, 'Please specify an address in your request'), context);
    expect(judged).toMatchObject({ verdict: 'unsupported' });
    expect(judged).not.toHaveProperty('wholeMethod');
  });

  test('a used-up quota is told from a throttle', () => {
    expect(evm.judge(read, error(429, 'monthly quota exceeded'), context)).toMatchObject({ quota: true });
    expect(evm.judge(read, error(-32000, 'Monthly capacity limit exceeded.'), context)).toMatchObject({
      verdict: 'rate_limited',
      quota: true,
    });
    expect(evm.judge(read, error(429, 'too many requests'), context)).not.toHaveProperty('quota');
  });

  test('an unknown text is counted as one', () => {
    expect(evm.judge(read, error(-32000, 'zebra'), context)).toMatchObject({
      verdict: 'node_failure',
      unclassified: true,
    });
    expect(evm.judge(send, error(-32000, 'zebra'), context)).toMatchObject({ txOutcome: 'unknown' });
  });

  test('a pause is named by header, data or text; an outcome of the EVM names none', () => {
    const header = { 'retry-after': '2' };
    const told = answer({ jsonrpc: '2.0', id: 1, error: { code: 429, message: 'retry in 7s' } }, 429, header);
    expect(evm.judge(read, told, context).retryAfterMs).toBe(7_000);
    expect(evm.judge(read, answer('', 503, header), context).retryAfterMs).toBe(2_000);
    const date = { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' };
    expect(evm.judge(read, answer('', 429, date), { ...context, nowMs: 10_000 }).retryAfterMs).toBe(20_000);
    expect(evm.judge(read, error(3, 'execution reverted: try again in 5 s'), context)).not.toHaveProperty(
      'retryAfterMs',
    );
  });

  test('whatever carries the bytes of a revert is the chain’s answer', () => {
    const reason = `0x08c379a0${'0'.repeat(128)}`;
    for (const data of [
      reason,
      `Reverted ${reason}`,
      { data: reason },
      { a: { result: reason } },
      '0x4e487b71',
    ])
      expect(evm.judge(read, error(-32000, 'rate limit exceeded', data), context).verdict).toBe('app_error');
    // A contract's own error is four bytes and whole words; other bytes are no revert.
    expect(evm.judge(read, error(-32005, 'rate limit exceeded', '0x4ca88867'), context).verdict).toBe(
      'app_error',
    );
    expect(evm.judge(read, error(-32005, 'rate limit exceeded', '0xdeadbeef00'), context).verdict).toBe(
      'rate_limited',
    );
  });

  test('words of the request that are copied into data are not the node’s', () => {
    const copied = error(-32000, 'zebra', {
      request: { method: 'rate limit exceeded' },
      see: 'quota exceeded',
    });
    expect(evm.judge(read, copied, context).rule).toBe('evm.unknown');
  });
});

describe('never throws', () => {
  const calls: readonly Call[] = [read, old, send, callOf('some_unknown', [{}]), callOf('eth_getLogs', [])];
  const anyCall = fc.constantFrom(...calls);
  const anyStatus = fc.constantFrom(
    200,
    204,
    301,
    400,
    401,
    403,
    404,
    405,
    413,
    429,
    500,
    502,
    503,
    504,
    524,
  );

  test('on any bytes', () => {
    fc.assert(
      fc.property(anyCall, anyStatus, fc.uint8Array({ maxLength: 200 }), (call, status, body) => {
        expect(evm.judge(call, { status, headers: {}, body }, context).verdict).toBeDefined();
      }),
    );
  });

  test('on any JSON-RPC error', () => {
    const shape = fc.record(
      {
        code: fc.oneof(fc.integer(), fc.string(), fc.constant(-32000)),
        message: fc.jsonValue(),
        data: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyCall, anyStatus, fc.oneof(shape, fc.jsonValue()), (call, status, error) => {
        const body = bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
        expect(evm.judge(call, { status, headers: {}, body }, context).verdict).toBeDefined();
      }),
    );
  });

  test('on recorded answers cut and mixed at any byte', () => {
    const bodies = answeredOf('evm').map(({ response }) => bytes(response.body));
    const anyBody = fc.constantFrom(...bodies);
    fc.assert(
      fc.property(anyCall, anyBody, anyBody, fc.nat(), fc.nat(), (call, a, b, x, y) => {
        const left = a.subarray(0, x % (a.length + 1));
        const right = b.subarray(y % (b.length + 1));
        const body = new Uint8Array(left.length + right.length);
        body.set(left);
        body.set(right, left.length);
        expect(evm.judge(call, { status: 200, headers: {}, body }, context).verdict).toBeDefined();
      }),
    );
  });
});
