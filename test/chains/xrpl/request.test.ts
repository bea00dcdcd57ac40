import { describe, expect, test } from 'vitest';
import { xrpl } from '../../../src/chains/xrpl/index.ts';
import { need } from '../../../src/chains/xrpl/need.ts';
import { bytes } from '../cases.ts';
import { call, limits, opened } from './calls.ts';

const hash = 'AB'.repeat(32);

describe('what is forwarded', () => {
  test.each([
    '{"method":"server_info","params":[{}]}',
    '{"method":"server_info","params":[]}',
    '{"method":"server_info","params":null}',
    '{"method":"server_info"}',
    ' {"params":[{"command":"server_info"}],"method":"server_info","command":"server_info"}\n',
    '{"jsonrpc":"2.0","id":5,"method":"server_info","params":[{"api_version":2,"ripplerpc":"3.0"}]}',
    '{"method":"some_new_method","params":[{"mode":"x"}],"extra":1}',
  ])('%s, byte for byte', body => {
    const read = opened(body);
    expect(read.form).toBe('single');
    if (read.form === 'single') expect(new TextDecoder().decode(read.call.text)).toBe(body);
  });

  test('the id is that of params[0], which the server echoes', () => {
    const id = (body: string) => {
      const read = opened(body);
      return read.form === 'single' ? read.call.id : read;
    };
    expect(id('{"method":"fee","params":[{"id":"a-1"}]}')).toBe('"a-1"');
    expect(id('{"method":"fee","params":[{"id":{"n":1}}]}')).toBe('{"n":1}');
    expect(id('{"method":"fee","id":7,"params":[{}]}')).toBeUndefined();
  });
});

describe('what could be read in two ways', () => {
  test.each([
    ['{"method":"fee","method":"submit","params":[{}]}', 'repeats'],
    ['{"method":"fee","Method":"submit","params":[{}]}', 'can be taken for'],
    ['{"method":"fee","param\u017f":[{}]}', 'can be taken for'],
    ['{"m\\u0065thod":"fee"}', 'escape'],
    ['{"method":"f\\u0065e"}', 'escape'],
    ['{"method":"fee","command":"submit"}', 'do not say the same'],
    ['{"method":"fee","command":null}', 'do not say the same'],
    ['{"method":"fee","params":[{"command":"submit"}]}', 'do not say the same'],
    ['{"method":"fee","params":[{"c\\u006fmmand":"submit"}]}', 'escape'],
    ['{"method":"account_info","params":[{"ledger_index":5,"ledger_index":6}]}', 'repeats'],
    ['{"method":"account_info","params":[{"Ledger_Index":5}]}', 'can be taken for'],
    ['{"method":"submit","params":[{"tx_blob":"AA","Secret":"s"}]}', 'can be taken for'],
    ['{"method":"submit","params":[{"tx_blob":"AA","TX_JSON":{}}]}', 'can be taken for'],
    ['{"method":"fee","params":[{},{}]}', 'array of one object'],
    ['{"method":"fee","params":{}}', 'array of one object'],
    ['{"method":"fee","params":"x"}', 'array of one object'],
    ['{"method":"fee","params":[5]}', 'object is expected'],
    ['{"method":"fee","params":[{}]} {}', 'follows'],
    ['\ufeff{"method":"fee"}', 'byte order mark'],
    ['{"params":[{}]}', 'missing'],
    ['{"method":null,"params":[{}]}', 'no string'],
    ['{"method":5,"params":[{}]}', 'no string'],
    ['{"command":"fee"}', 'missing'],
    ['[{"method":"fee"}]', 'object is expected'],
    ['"fee"', 'object is expected'],
    ['{"method":"batch","params":{}}', 'must be an array'],
    ['{"method":"batch","params":[]}', 'empty'],
    ['{"method":"batch","params":[{"method":"fee"},{"method":"fee","method":"submit"}]}', 'item 2'],
    ['{"method":"batch","params":[{"method":"fee","Method":"submit"}]}', 'item 1'],
    ['{"method":"batch","params":[{"method":"fee","command":"submit"}]}', 'do not say the same'],
    ['{"method":"batch","params":[{"account":"r"}]}', 'missing'],
    ['{"method":"batch","params":[5]}', 'object is expected'],
  ])('%s', (body, message) => {
    const read = opened(body);
    expect(read).toMatchObject({ form: 'refused', reason: 'invalid_request' });
    if (read.form === 'refused') expect(read.message).toContain(message);
  });

  test('the caller still learns which of its requests it was', () => {
    expect(opened('{"method":"fee","params":[{"id":9,"command":"x"}]}')).toMatchObject({
      form: 'refused',
      id: '9',
    });
  });

  test.each([
    ['', 'parse_error'],
    ['{"method":"fee"', 'parse_error'],
    ['{"method":"fee",}', 'parse_error'],
    [`{"method":"fee","params":[{"a":${'['.repeat(20)}${']'.repeat(20)}}]}`, 'too_large'],
    [
      JSON.stringify({ method: 'batch', params: Array.from({ length: 1001 }, () => ({ method: 'fee' })) }),
      'too_large',
    ],
  ])('%#: %s', (body, reason) => {
    expect(opened(body)).toMatchObject({ form: 'refused', reason });
  });

  test('only the root, and only POST', () => {
    expect(opened('{"method":"fee"}', '/')).toMatchObject({ form: 'single' });
    expect(opened('{"method":"fee"}', '/v1')).toMatchObject({ form: 'refused', reason: 'not_found' });
    const get = xrpl.open({ verb: 'GET', target: '', body: bytes('') }, limits);
    expect(get).toMatchObject({ form: 'refused', reason: 'not_found' });
  });
});

describe('what is never forwarded', () => {
  test.each<[string, string]>([
    ['{"method":"sign","params":[{"tx_json":{}}]}', 'private key'],
    ['{"method":"sign_for","params":[{}]}', 'private key'],
    ['{"method":"channel_authorize","params":[{}]}', 'private key'],
    ['{"method":"wallet_propose","params":[{}]}', 'private key'],
    ['{"method":"stop","params":[{}]}', 'administers'],
    ['{"method":"peers","params":[{}]}', 'administers'],
    ['{"method":"ledger_accept"}', 'administers'],
    ['{"method":"subscribe","params":[{"url":"http://a"}]}', 'WebSocket'],
    ['{"method":"path_find","params":[{}]}', 'WebSocket'],
    ['{"method":"submit","params":[{"tx_json":{},"secret":"s"}]}', 'secret'],
    ['{"method":"submit","params":[{"tx_json":{}}]}', 'sign it'],
    ['{"method":"submit","params":[{"tx_blob":"AA","tx_json":{}}]}', 'sign it'],
    ['{"method":"submit","params":[{}]}', 'sign it'],
    ['{"method":"submit","params":[{"tx_blob":"AA","seed":"s"}]}', 'seed'],
    ['{"method":"simulate","params":[{"tx_json":{},"seed_hex":"s"}]}', 'seed_hex'],
    ['{"method":"account_info","params":[{"passphrase":"s"}]}', 'passphrase'],
    ['{"method":"account_info","params":[{"admin_password":"s"}]}', 'admin_password'],
    ['{"method":"account_info","secret":"s","params":[{}]}', 'secret'],
    ['{"method":"some_new_method","params":[{"secret":"s"}]}', 'secret'],
    ['{"method":"ledger","params":[{"full":true}]}', 'administrator'],
    ['{"method":"ledger","params":[{"accounts":1}]}', 'administrator'],
    ['{"method":"feature","params":[{"feature":"x","vetoed":true}]}', 'administrator'],
    ['{"method":"batch","params":[{"method":"fee"},{"method":"submit","tx_blob":"AA"}]}', 'transaction'],
    ['{"method":"batch","params":[{"method":"submit_multisigned","tx_json":{}}]}', 'transaction'],
    ['{"method":"batch","params":[{"method":"stop"}]}', 'administers'],
    ['{"method":"batch","params":[{"method":"batch","params":[]}]}', 'batch within a batch'],
    ['{"method":"batch","params":[{"method":"fee","params":[{"secret":"s"}]}]}', 'secret'],
    ['{"method":"batch","secret":"s","params":[{"method":"fee"}]}', 'secret'],
  ])('%s', (body, why) => {
    const read = opened(body);
    expect(read).toMatchObject({ form: 'single', call: { spec: { kind: 'refused' } } });
    if (read.form === 'single') expect(read.call.spec.why).toContain(why);
  });

  test('asking for nothing of the administrator passes', () => {
    expect(call('ledger', { full: false, accounts: null, ledger_index: 5 }).spec.kind).toBe('read');
  });

  test('every refusal has a reason', () => {
    for (const spec of Object.values(xrpl.methods))
      if (spec.kind === 'refused') expect(spec.why).toBeTruthy();
  });
});

describe('kinds', () => {
  test.each<[string, readonly object[], object]>([
    ['submit', [{ tx_blob: 'AA' }], { kind: 'broadcast' }],
    ['submit_multisigned', [{ tx_json: {} }], { kind: 'broadcast' }],
    ['account_tx', [{}], { kind: 'heavy' }],
    ['constructor', [{}], { kind: 'read', unknown: true }],
    ['batch', [{ method: 'fee' }], { kind: 'read' }],
    ['batch', [{ method: 'fee' }, { method: 'account_tx' }], { kind: 'heavy' }],
    ['batch', [{ method: 'fee' }, { method: 'some_new_method' }], { kind: 'read', unknown: true }],
  ])('%s %j', (method, params, spec) => {
    expect(call(method, ...params).spec).toMatchObject(spec);
  });
});

describe('what a request needs', () => {
  const at = (kind: string, height: number, more: object = {}) => ({
    height,
    history: { kind, height },
    ...more,
  });
  test.each<[string, object, object]>([
    ['server_info', { ledger_index: 5 }, {}],
    ['account_info', {}, { own: true }],
    ['account_info', { ledger_hash: hash }, { unplaced: 'state' }],
    ['book_offers', {}, {}],
    ['account_info', { ledger_index: 'validated' }, {}],
    ['account_info', { ledger_index: 'current' }, { own: true }],
    ['account_info', { ledger_index: 5_000_000 }, at('state', 5_000_000)],
    ['account_info', { ledger_index: '5000000' }, at('state', 5_000_000)],
    ['account_info', { ledger: 5_000_000 }, at('state', 5_000_000)],
    ['account_info', { ledger: hash }, { unplaced: 'state' }],
    ['account_info', { ledger_hash: hash }, { unplaced: 'state' }],
    ['account_info', { ledger_index: -1 }, {}],
    ['account_info', { ledger_index: 5.5 }, {}],
    ['ledger', { ledger_index: 7 }, at('blocks', 7)],
    ['tx', { transaction: hash }, { unplaced: 'transactions', own: true }],
    [
      'tx',
      { transaction: hash, min_ledger: 40, max_ledger: 90 },
      { height: 90, history: { kind: 'transactions', height: 40 } },
    ],
    ['tx', { ctid: 'C363B1DD00000000' }, at('transactions', 56_865_245)],
    ['transaction_entry', { tx_hash: hash, ledger_index: 77 }, at('transactions', 77)],
    ['account_tx', { ledger_index_min: -1, ledger_index_max: -1 }, {}],
    [
      'account_tx',
      { ledger_index_min: 600_000, ledger_index_max: 700_000 },
      { height: 700_000, history: { kind: 'transactions', height: 600_000 } },
    ],
    ['account_tx', { ledger_index_min: 1 }, { height: 1, history: { kind: 'transactions', height: 1 } }],
    [
      'account_tx',
      { ledger_index_min: 1, ledger_index_max: 700_000 },
      { height: 700_000, history: { kind: 'transactions', height: 32_570 } },
    ],
    [
      'account_tx',
      { ledger_index_max: 700_000, marker: { ledger: 650_000, seq: 3 } },
      { height: 700_000, history: { kind: 'transactions', height: 650_000 } },
    ],
  ])('%s %j', (method, params, wanted) => {
    const { class: _, method: __, ...named } = need(call(method, params));
    expect(named).toEqual(wanted);
  });

  test('a batch that reads what is in no ledger yet is asked of who took the transaction', () => {
    const batch = call('batch', { method: 'fee' }, { method: 'account_info', account: 'r' });
    expect(need(batch)).toEqual({ class: 'read', method: 'batch', own: true, tip: true });
  });

  test('a batch needs what its items need together', () => {
    const batch = call(
      'batch',
      { method: 'ledger', ledger_index: 50 },
      { method: 'account_info', ledger_index: 90 },
      { method: 'account_info', ledger_hash: hash },
      { method: 'fee' },
    );
    expect(need(batch)).toEqual({
      class: 'read',
      method: 'batch',
      height: 90,
      history: { kind: 'blocks', height: 50 },
      unplaced: 'state',
      tip: true,
    });
  });
});
