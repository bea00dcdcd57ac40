import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { solana } from '../../../src/chains/solana/index.ts';
import { rules } from '../../../src/chains/solana/replies.ts';
import { altered, answeredOf, bytes, type Case } from '../cases.ts';
import { classify, testRuleTable } from '../rule-table.ts';
import { call } from './calls.ts';

const cases = answeredOf('solana');
const named = cases.map(one => [one.id, one] as const);
const context = { nowMs: 0, chain: 'solana' };

function expected(one: Case): Record<string, unknown> {
  const { verdict, tx_outcome: txOutcome, retry_after_s: retryAfterSeconds } = one;
  return { verdict, txOutcome, retryAfterSeconds };
}

describe('the corpus', () => {
  test('has enough of our own beside what was given', () => {
    expect(cases.filter(({ id }) => id.startsWith('solana-extra-')).length).toBeGreaterThan(60);
  });

  test.each(named)('%s', (_, one) => {
    const judged = classify(solana, one);
    expect({ txOutcome: undefined, retryAfterSeconds: undefined, ...judged }).toMatchObject(expected(one));
  });

  test.each(named)('%s, other numbers, hosts and names', (_, one) => {
    expect(classify(solana, altered(one))).toMatchObject({ verdict: one.verdict });
  });

  test.each(named)('%s, its text as a result', (_, { response }) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { logs: [response.body], note: response.body },
    });
    const judged = solana.judge(
      call('getAccountInfo'),
      { status: 200, headers: {}, body: bytes(body) },
      context,
    );
    expect(judged).toEqual({ verdict: 'ok', rule: 'solana.result' });
  });

  test.each(named)('%s, its text in the log of a run that failed', (_, { response }) => {
    const data = { err: { InstructionError: [0, { Custom: 1 }] }, logs: [`Program log: ${response.body}`] };
    const error = { code: -32002, message: 'Transaction simulation failed: custom program error: 0x1', data };
    const body = bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    const judged = solana.judge(
      call('sendTransaction', ['AAAA']),
      { status: 200, headers: {}, body },
      context,
    );
    expect(judged).toEqual({ verdict: 'app_error', rule: 'solana.simulated', txOutcome: 'rejected' });
  });
});

describe('the rules', () => {
  testRuleTable(solana, rules);
});

describe('a code that means two things', () => {
  const judged = (code: number | string, message: string, more: { method?: string; data?: unknown } = {}) => {
    const error = { code, message, ...(more.data === undefined ? {} : { data: more.data }) };
    const body = bytes(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    return solana.judge(call(more.method ?? 'getBlock', [5]), { status: 200, headers: {}, body }, context);
  };

  test.each<[number, string, string]>([
    [-32005, 'Node is behind by 150 slots', 'node_failure'],
    [-32005, 'You have exceeded your requests per second', 'rate_limited'],
    [-32007, 'Slot 5 was skipped, or missing due to ledger jump to recent snapshot', 'missing_history'],
    [-32007, '9/second request limit reached', 'rate_limited'],
    [-32009, 'Slot 5 was skipped, or missing in long-term storage', 'missing_history'],
    [-32009, 'query rate limit reached', 'rate_limited'],
    [-32011, 'Transaction history is not available from this node', 'missing_history'],
    [-32011, 'no backend is currently healthy to serve traffic', 'node_failure'],
    [-32012, 'Node detected it replayed bad version of slot 1', 'node_failure'],
    [-32012, 'credits limited to 90/sec', 'rate_limited'],
    [-32016, 'Minimum context slot has not been reached', 'missing_history'],
    [-32016, 'over rate limit', 'rate_limited'],
    [-32002, 'rejected due to project ID settings', 'auth_refused'],
    [-32602, 'Unsupported method: getBlock. See available methods', 'unsupported'],
    [-32602, 'Invalid params: unknown variant `rate limit exceeded`, expected one of', 'app_error'],
    [-32600, 'Monthly capacity limit exceeded.', 'rate_limited'],
    [-32603, 'Internal error', 'node_failure'],
    [-32603, 'too many requests', 'rate_limited'],
  ])('%i %s: %s', (code, message, verdict) => {
    expect(judged(code, message).verdict).toBe(verdict);
  });

  test('a code as a text counts as the number', () => {
    expect(judged('-32004', 'Block not available for slot 5').rule).toBe('solana.history');
  });

  test('a used-up allowance says so, a throttle does not', () => {
    expect(judged(-32000, 'monthly quota exceeded')).toMatchObject({ verdict: 'rate_limited', quota: true });
    expect(judged(-32000, 'too many requests').quota).toBeUndefined();
  });

  test('only a refusal of the method as a whole may be remembered, and never a broadcast', () => {
    expect(judged(-32601, 'Method not found').wholeMethod).toBe(true);
    expect(judged(-32601, 'Method not found', { method: 'sendBundle' }).wholeMethod).toBeUndefined();
    expect(
      judged(-32010, 'K excluded from account secondary indexes; this RPC method unavailable for key'),
    ).toEqual({
      verdict: 'unsupported',
      rule: 'solana.key_not_indexed',
    });
    expect(judged(410, 'The RPC call or parameters have been disabled.').wholeMethod).toBeUndefined();
  });

  test('a log that says "already processed" is not the network saying so', () => {
    const data = { err: { InstructionError: [0, { Custom: 1 }] }, logs: ['Program log: already processed'] };
    const message = 'Transaction simulation failed: order already processed';
    expect(judged(-32002, message, { method: 'sendTransaction', data }).txOutcome).toBe('rejected');
  });
});

describe('any bytes', () => {
  const sent = call('sendTransaction', ['AAAA']);

  test('are judged, never thrown at', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 100, max: 599 }), (body, status) => {
        for (const one of [call('getSlot'), sent])
          expect(solana.judge(one, { status, headers: { 'retry-after': 'x' }, body }, context).rule).toMatch(
            /^solana\./,
          );
      }),
    );
  });

  test('any JSON as an error is judged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (error, data) => {
        for (const value of [{ error }, { error: { code: -32002, message: 'x', data } }, error]) {
          const body = bytes(JSON.stringify(value));
          expect(solana.judge(sent, { status: 200, headers: {}, body }, context).txOutcome).toBeDefined();
        }
      }),
    );
  });

  test('an answer cut anywhere is no success, and proves nothing of a transaction', () => {
    const whole = bytes(
      '{"jsonrpc":"2.0","id":1,"result":"2id3YC2jK9G5Wo2phDx4gJVAew8DcY5NAojnVuao8rkxwPYPe8cS"}',
    );
    for (let end = 0; end < whole.length; end++) {
      const judged = solana.judge(sent, { status: 200, headers: {}, body: whole.subarray(0, end) }, context);
      expect(judged).toMatchObject({ verdict: 'node_failure', txOutcome: 'unknown' });
    }
  });
});
