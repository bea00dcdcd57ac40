import { describe, expect, test } from 'vitest';
import { xrpl } from '../../../src/chains/xrpl/index.ts';
import { type ClientReason, errors, type Fault } from '../../../src/core/errors.ts';
import { bytes } from '../cases.ts';
import { call } from './calls.ts';

const told: Fault = {
  reason: 'not_sent',
  message: 'nothing left this gateway',
  chain: 'xrpl',
  requestId: 'r1',
  attempts: [{ endpoint: 'a', verdict: 'transport', ms: 5 }],
};

describe('an error of the gateway', () => {
  test('has the form of the server', () => {
    const body = JSON.parse(xrpl.fault(call('submit', { tx_blob: 'AA' }), told));
    expect(body).toEqual({
      result: {
        error: 'internal',
        error_code: 73,
        error_message: 'nothing left this gateway',
        status: 'error',
        rpcgw: {
          source: 'rpcgw',
          reason: 'not_sent',
          chain: 'xrpl',
          requestId: 'r1',
          attempts: told.attempts,
        },
      },
    });
  });

  test('echoes what the server echoes', () => {
    const body = JSON.parse(
      xrpl.fault(call('fee', { id: { n: 1 }, jsonrpc: '2.0', ripplerpc: '1.0' }), told),
    );
    expect(body).toMatchObject({
      id: { n: 1 },
      jsonrpc: '2.0',
      ripplerpc: '1.0',
      result: { status: 'error' },
    });
  });

  test('has no result from ripplerpc 2.0 on, where a result means success', () => {
    const body = JSON.parse(xrpl.fault(call('fee', { ripplerpc: '2.0', id: 4 }), told));
    expect(body.result).toBeUndefined();
    expect(body).toMatchObject({
      id: 4,
      ripplerpc: '2.0',
      error: {
        error: 'internal',
        code: 73,
        message: told.message,
        status: 'error',
        rpcgw: { reason: 'not_sent' },
      },
    });
  });

  test('without a call carries the id that could be read', () => {
    expect(JSON.parse(xrpl.fault(undefined, { ...told, id: '"q"' }))).toMatchObject({ id: 'q' });
    expect(JSON.parse(xrpl.fault(undefined, told)).id).toBeUndefined();
  });

  test('is taken for no success by this gateway itself', () => {
    // Every entry of the table that a client can get has a code of JSON-RPC.
    const reasons = Object.entries(errors).flatMap(([reason, row]) =>
      'rpc' in row ? [reason as ClientReason] : [],
    );
    for (const reason of reasons) {
      const body = bytes(xrpl.fault(call('fee', {}), { ...told, reason }));
      expect(
        xrpl.judge(call('fee', {}), { status: 200, headers: {}, body }, { nowMs: 0, chain: 'xrpl' }).verdict,
      ).not.toBe('ok');
    }
  });
});

const answer = (result: unknown) => bytes(JSON.stringify({ result }));
const { probes } = xrpl;

describe('own questions', () => {
  test('the head is the validated ledger, with its time', () => {
    expect(new TextDecoder().decode(probes.head.call.text)).toBe(
      '{"method":"ledger","params":[{"ledger_index":"validated"}]}',
    );
    const ledger = { close_time: 736_697_360, ledger_index: '79592259' };
    expect(probes.head.read(answer({ ledger, validated: true, status: 'success' }))).toEqual({
      height: 79_592_259,
      blockTimeMs: 1_683_382_160_000,
    });
    expect(probes.head.read(answer({ ledger_index: 79_592_260, validated: true }))).toEqual({
      height: 79_592_260,
    });
    expect(probes.head.read(answer({ ledger_index: 79_592_260, validated: false }))).toBeUndefined();
    expect(probes.head.read(answer({ ledger_index: 79_592_260 }))).toBeUndefined();
    expect(probes.head.read(bytes('x'))).toBeUndefined();
  });

  test('the identity is the network id; missing is not mainnet', () => {
    const [info, state, first] = probes.identity;
    expect(info?.read(answer({ info: { network_id: 0 } }))).toBe('0');
    expect(info?.read(answer({ info: { network_id: 21337 } }))).toBe('21337');
    expect(info?.read(answer({ info: {} }))).toBeUndefined();
    expect(info?.read(answer({ info: { network_id: null } }))).toBeUndefined();
    expect(state?.read(answer({ state: { network_id: 1 } }))).toBe('1');
    const ledger_hash = '4109C6F2045FC7EFF4CDE8F9905D19C28820D86304080FF886B299F0206E42B5';
    expect(first?.read(answer({ ledger_hash }))).toBe('0');
    expect(first?.read(answer({ ledger_hash: 'AB'.repeat(32) }))).toBeUndefined();
  });

  test('history is a ledger that can be shown', () => {
    const probe = probes.history('state', 50_000);
    expect(new TextDecoder().decode(probe.call.text)).toBe(
      '{"method":"ledger","params":[{"ledger_index":50000}]}',
    );
    expect(probe.read(answer({ ledger_index: 50_000 }))).toBe(true);
    expect(probe.read(answer({ ledger: { ledger_index: '50000' } }))).toBe(true);
    expect(probe.read(answer({ ledger_index: 50_001 }))).toBe(false);
  });

  test('the client tells its kind and version', () => {
    expect(probes.client?.read(answer({ info: { build_version: '1.12.0' } }))).toBe('rippled 1.12.0');
    expect(probes.client?.read(answer({ info: { clio_version: '2.1.0', rippled_version: '2.0.0' } }))).toBe(
      'clio 2.1.0',
    );
    expect(probes.client?.read(answer({ info: {} }))).toBeUndefined();
  });
});

describe('the height an answer shows', () => {
  test.each<[string, object, unknown, number | undefined]>([
    ['server_info', {}, { info: { validated_ledger: { seq: 7 } } }, 7],
    ['server_info', {}, { info: { closed_ledger: { seq: 7 } } }, undefined],
    ['server_state', {}, { state: { validated_ledger: { seq: 8 } } }, 8],
    ['account_info', { ledger_index: 'validated' }, { ledger_index: 9, validated: true }, 9],
    ['account_info', { ledger_index: 'validated' }, { ledger_index: 9 }, undefined],
    ['account_info', { ledger_index: 9 }, { ledger_index: 9, validated: true }, undefined],
    ['account_info', {}, { ledger_current_index: 9, validated: false }, undefined],
    ['ledger_current', {}, { ledger_current_index: 9 }, undefined],
    ['ledger_closed', {}, { ledger_index: 9 }, undefined],
  ])('%s %j', (method, params, result, height) => {
    expect(xrpl.headOf(call(method, params), answer(result))).toBe(height);
  });
});

describe('a large answer', () => {
  const long = 'x'.repeat(2000);
  const peek = (method: string, params: object, text: string) => xrpl.peek(call(method, params), bytes(text));

  test.each<[string, string, object, string, string]>([
    ['a result that goes on', 'ledger', {}, `{"result":{"ledger":{"a":"${long}`, 'commit'],
    [
      'what is echoed stands before it',
      'ledger',
      { id: 5 },
      `{"id":5,"jsonrpc":"2.0","result":{"ledger":{"a":"${long}`,
      'commit',
    ],
    ['another id', 'ledger', { id: 5 }, `{"id":6,"result":{"ledger":{"a":"${long}`, 'hold'],
    ['an error early in it', 'ledger', {}, `{"result":{"error":"tooBusy","request":{"a":"${long}`, 'hold'],
    [
      'a status that is none of success',
      'ledger',
      {},
      `{"result":{"status":"error","request":{"a":"${long}`,
      'hold',
    ],
    ['an error at the top', 'ledger', {}, `{"error":"tooBusy","request":{"a":"${long}`, 'hold'],
    ['a status at the top', 'ledger', {}, `{"status":"error","result":{"a":"${long}`, 'hold'],
    ['something large before the result', 'ledger', {}, `{"warnings":["${long}`, 'hold'],
    ['a result that is over', 'ledger', {}, `{"result":{"a":1},"warnings":["${long}`, 'hold'],
    ['a batch', 'batch', { method: 'fee' }, `[{"result":{"a":"${long}`, 'hold'],
    ['a page', 'ledger', {}, `<html>${long}`, 'hold'],
    ['a text', 'ledger', {}, `{"result":"${long}`, 'hold'],
    [
      'a range not shown yet',
      'account_tx',
      { ledger_index_min: 50_000 },
      `{"result":{"account":"${long}`,
      'hold',
    ],
    [
      'a range as asked for',
      'account_tx',
      { ledger_index_min: 50_000 },
      `{"result":{"ledger_index_max":60000,"ledger_index_min":50000,"transactions":["${long}`,
      'commit',
    ],
    [
      'a clipped range',
      'account_tx',
      { ledger_index_min: 50_000 },
      `{"result":{"ledger_index_max":60000,"ledger_index_min":50001,"transactions":["${long}`,
      'hold',
    ],
    ['no range asked for', 'account_tx', {}, `{"result":{"account":"${long}`, 'commit'],
  ])('%s', (_, method, params, text, seen) => {
    expect(peek(method, params, text)).toBe(seen);
  });

  test.each<[string, string, boolean]>([
    [
      'a sound end',
      `${long}"}],"status":"success","validated":true},"warnings":[{"id":2001,"message":"x"}]}`,
      true,
    ],
    ['a line break behind it', `${long}"}],"status":"success","validated":true}}\n`, true],
    ['the text "status":"error" in a memo', `${long} \\"status\\":\\"error\\""}],"status":"success"}}`, true],
    ['an error after all', `${long}"}],"status":"error"}}`, false],
    ['an error beside the result', `${long}"}]},"error":{"code":5}}`, false],
    ['the text is cut', `${long}"}],"status":"succ`, false],
  ])('its end: %s', (_, text, sound) => {
    const last = bytes(text).slice(-1024);
    expect(xrpl.tail(call('ledger', {}), last) === undefined).toBe(sound);
  });
});

test('one body is one call', () => {
  const one = call('fee', {});
  expect(xrpl.join([one])).toBe(one.text);
  const body = bytes('{}');
  expect(xrpl.split([one], body)).toEqual([body]);
});
