import { describe, expect, test } from 'vitest';
import type { Incoming, Opened } from '../../../src/chains/family.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { indexPaths, paths, rpcMethods } from '../../../src/chains/tron/methods.ts';
import { options, utf8 } from './cases.ts';

function open(target: string, body = '', verb = 'POST'): Opened {
  const incoming: Incoming = { verb, target, body: utf8.encode(body) };
  return tron.open(incoming, options);
}

function reasonOf(opened: Opened): string {
  if (opened.form === 'refused') return opened.reason;
  return opened.form === 'single' ? opened.call.spec.kind : opened.form;
}

describe('hostile targets are not found, whatever verb and body come with them', () => {
  test.each([
    '/wallet/%62roadcasttransaction',
    '/wallet/broadcasttransaction%20',
    '/wallet/getblock%00',
    '/wallet%2fgetblock',
    '/wallet/getblock%3fx=1',
    '/wallet/getblock?id_or_num=%31',
    '/wallet/getblock?id%5for_num=1',
    '/v1/accounts/%54Z4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g',
    '/wallet/getblock;jsessionid=1',
    '/wallet;a=b/getblock',
    '/wallet/getblock?num=1;visible=true',
    '/wallet\\getblock',
    '\\wallet\\getblock',
    '//wallet/getblock',
    '/wallet//getblock',
    '/wallet/getblock//',
    '/wallet/getblock?x=//host',
    '/./wallet/getblock',
    '/wallet/./getblock',
    '/wallet/../wallet/getblock',
    '/walletsolidity/../wallet/broadcasttransaction',
    '/wallet/..',
    '/wallet/.',
    '/wallet/getblock/..',
    '/wallet/getblock/.?x=1',
    '/wallet/getblock#fragment',
    '/wallet/getblock ',
    '/wallet/get block',
    '/wallet/getblock\t',
    '/wallet/getblock\r\nx-evil: 1',
    '/wallet/getblöck',
    '/wallet/getblock\u0000',
    '/Wallet/getblock',
    '/WALLET/GETBLOCK',
    '/wallet/getBlock',
    '/wallet/GetBlock',
    '/wallet/getreward',
    '/wallet/getbrokerage',
    '/wallet/updatebrokerage',
    '/wallet/BroadcastTransaction',
    '/wallet/broadcastTransaction',
    '/wallet/createcommontransaction',
    '/wallet/getblock/',
    '/wallet/getblock/1',
    '/wallet',
    '/wallet/',
    '/wallet/nosuchpath',
    '/wallet/__proto__',
    '/wallet/constructor',
    '/walletsolidity/broadcasttransaction',
    '/walletsolidity/broadcasthex',
    '/walletsolidity/createtransaction',
    '/walletpbft/getnowblock',
    '/wallet/getnowblockx',
    '/x/wallet/getblock',
    'wallet/getblock',
    '/',
    '?',
    '/jsonrpc/',
    '/jsonrpc?x=1',
    '/JSONRPC',
    '/v1',
    '/v1/',
    '/v2/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g',
    '/v1/accounts',
    '/v1/accounts/me',
    '/v1/accounts/{address}',
    '/v1/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g/keys',
    '/v1/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g/transactions/trc20/x',
    '/v1/contracts/0x41a614f803b6fd780986a42c78ec9c7f77e6ded13c/events',
    '/v1/transactions/1234/events',
    '/v1/blocks/007/events',
    '/admin',
    '/metrics',
  ])('%j', target => {
    for (const verb of ['GET', 'POST'])
      for (const body of ['', '{}']) expect(reasonOf(open(target, body, verb))).toBe('not_found');
  });
});

describe('verbs', () => {
  test.each([
    ['GET', '/wallet/getnowblock', '', 'read'],
    ['POST', '/wallet/getnowblock', '', 'read'],
    ['POST', '/wallet/getnowblock', '{}', 'read'],
    ['GET', '/wallet/getblockbynum?num=5', '', 'read'],
    ['GET', '/wallet/getblockbynum?num=5&visible=true&int64_as_string=true', '', 'read'],
    ['GET', '/wallet/getblockbylimitnext?startNum=1&endNum=5', '', 'heavy'],
    ['GET', '/wallet/getReward?address=TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g', '', 'read'],
    ['GET', '/v1/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g', '', 'read'],
    [
      'GET',
      '/v1/accounts/TZ4UXDV5ZhNW7fb2AMSbgfAEZ7hWsnYS2g/transactions?limit=200&order_by=block_timestamp,desc',
      '',
      'read',
    ],
    ['GET', '/wallet/getnowblock', '{}', 'invalid_request'],
    ['POST', '/wallet/getnowblock?visible=true', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num=5&num=6', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?Num=5', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?number=5', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num=5&', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num=5+6', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num=[5]', '', 'invalid_request'],
    ['GET', '/wallet/getblockbynum?num=5?num=6', '', 'invalid_request'],
    ['GET', '/wallet/triggerconstantcontract', '', 'invalid_request'],
    ['GET', '/wallet/broadcasttransaction', '', 'invalid_request'],
    ['GET', '/wallet/broadcasthex?transaction=0a', '', 'invalid_request'],
    ['GET', '/wallet/createtransaction', '', 'invalid_request'],
    ['POST', '/v1/assets', '{}', 'invalid_request'],
    ['PUT', '/wallet/getnowblock', '{}', 'invalid_request'],
    ['HEAD', '/wallet/getnowblock', '', 'invalid_request'],
    ['post', '/wallet/getnowblock', '{}', 'invalid_request'],
    ['GET', '/jsonrpc', '', 'not_found'],
  ])('%s %s %s: %s', (verb, target, body, expected) => {
    expect(reasonOf(open(target, body, verb))).toBe(expected);
  });
});

describe('bodies that gateway and node could read in two ways', () => {
  test.each([
    ['{"num":1,"num":2}', 'invalid_request'],
    ['{"num":1,"Num":2}', 'invalid_request'],
    ['{"NUM":1}', 'invalid_request'],
    ['{"n\\u0075m":1}', 'invalid_request'],
    ['{"ｎｕｍ":1}', 'invalid_request'],
    ['{"num\\u200b":1}', 'invalid_request'],
    ['{"num":1}{"num":2}', 'invalid_request'],
    ['{"num":1} x', 'invalid_request'],
    ['\ufeff{"num":1}', 'invalid_request'],
    ['[{"num":1}]', 'invalid_request'],
    ['"num"', 'invalid_request'],
    ['{num:1}', 'parse_error'],
    ["{'num':1}", 'parse_error'],
    ['{"num":010}', 'parse_error'],
    ['{"num":1,}', 'parse_error'],
    ['{"num":1', 'parse_error'],
    ['num=1', 'parse_error'],
    [' ', 'parse_error'],
    [`{"num":${'['.repeat(13)}${']'.repeat(13)}}`, 'too_large'],
    // java-tron takes a field by its number too.
    ['{"1":5}', 'invalid_request'],
    ['{"num":1,"1":5}', 'invalid_request'],
    ['{"num":1,"something_else":2}', 'read'],
    ['{"num":1}\r\n', 'read'],
  ])('%j: %s', (body, expected) => {
    expect(reasonOf(open('/wallet/getblockbynum', body))).toBe(expected);
  });

  test.each([
    ['{"raw_data":{},"raw_data":{}}'],
    ['{"raw_data":{},"Raw_Data":{}}'],
    ['{"raw_data":{},"signature":[],"Signature":[]}'],
    ['{"visible":true,"visible":false,"raw_data":{}}'],
    ['{"raw\\u005fdata":{}}'],
  ])('a broadcast as %s', body => {
    expect(reasonOf(open('/wallet/broadcasttransaction', body))).toBe('invalid_request');
  });

  test('a deployment with its ABI is as deep as a transaction gets', () => {
    const inputs = [{ name: 'to', type: 'address' }];
    const new_contract = { abi: { entrys: [{ type: 'Function', inputs }] }, bytecode: '00' };
    const value = { owner_address: '41', new_contract };
    const body = JSON.stringify({
      raw_data: { contract: [{ parameter: { value }, type: 'CreateSmartContract' }] },
    });
    const incoming = { verb: 'POST', body: utf8.encode(body) };
    const narrow = { ...options, maxDepth: 10 };
    expect(reasonOf(tron.open({ ...incoming, target: '/wallet/broadcasttransaction' }, narrow))).toBe(
      'broadcast',
    );
    expect(reasonOf(tron.open({ ...incoming, target: '/wallet/getaccount' }, narrow))).toBe('too_large');
  });

  test('a broadcast without a body', () => {
    expect(reasonOf(open('/wallet/broadcasttransaction'))).toBe('parse_error');
    expect(reasonOf(open('/wallet/broadcasthex'))).toBe('parse_error');
  });

  test('a key that only looks like one that must be written in its own way', () => {
    const body = '{"owner_address":"41","to_address":"41","amount":1,"permission_id":2}';
    expect(open('/wallet/createtransaction', body)).toMatchObject({
      reason: 'invalid_request',
      message: expect.stringContaining('"Permission_id"'),
    });
  });
});

describe('what carries a key is refused with a reason', () => {
  const keys = [
    'createaddress',
    'generateaddress',
    'easytransfer',
    'easytransferbyprivate',
    'easytransferasset',
    'easytransferassetbyprivate',
    'gettransactionsign',
    'addtransactionsign',
    'createspendauthsig',
    'getexpandedspendingkey',
    'getspendingkey',
    'getakfromask',
    'getnkfromnsk',
    'getincomingviewingkey',
    'getnewshieldedaddress',
    'getzenpaymentaddress',
    'createshieldedtransaction',
    'createshieldedcontractparameters',
    'scannotebyivk',
    'scanandmarknotebyivk',
    'scannotebyovk',
    'scanshieldedtrc20notesbyivk',
    'scanshieldedtrc20notesbyovk',
  ];
  test.each(keys)('%s', name => {
    for (const verb of ['GET', 'POST']) {
      const opened = open(`/wallet/${name}`, verb === 'GET' ? '' : '{"privateKey":"00"}', verb);
      expect(opened).toMatchObject({ form: 'single', call: { spec: { kind: 'refused' } } });
      if (opened.form === 'single') expect(opened.call.spec.why).toMatch(/key/);
    }
  });

  test.each(['/net/listnodes', '/monitor/getnodeinfo', '/monitor/getstatsinfo'])(
    '%s is the operator’s',
    path => {
      expect(reasonOf(open(path, '', 'GET'))).toBe('refused');
    },
  );
});

describe('JSON-RPC', () => {
  const ask = (method: string): string =>
    reasonOf(open('/jsonrpc', JSON.stringify({ jsonrpc: '2.0', id: 1, method })));
  test.each([
    ['eth_blockNumber', 'read'],
    ['eth_getLogs', 'heavy'],
    ['eth_newFilter', 'read'],
    ['buildTransaction', 'read'],
    ['eth_sendRawTransaction', 'refused'],
    ['eth_sendTransaction', 'refused'],
    ['eth_sign', 'refused'],
    ['eth_signTransaction', 'refused'],
    ['eth_submitWork', 'refused'],
    ['eth_submitHashrate', 'refused'],
    ['personal_unlockAccount', 'refused'],
    ['personal_sendTransaction', 'refused'],
    ['miner_start', 'refused'],
    ['admin_addPeer', 'refused'],
    ['eth_sendRawTransactionSoon', 'refused'],
    ['eth_signEverything', 'refused'],
    ['eth_feeHistory', 'read'],
    ['__proto__', 'read'],
  ])('%s: %s', (method, expected) => {
    expect(ask(method)).toBe(expected);
  });

  test('is served at the root too, and sent to /jsonrpc', () => {
    const opened = open('', '{"jsonrpc":"2.0","id":"a","method":"eth_chainId","params":[]}');
    expect(opened).toMatchObject({
      form: 'single',
      call: { path: '/jsonrpc', id: '"a"', method: 'eth_chainId' },
    });
  });

  test('batches open item by item, join and split', () => {
    const body =
      '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_blockNumber"}]';
    const opened = open('/jsonrpc', body);
    if (opened.form !== 'batch') throw new Error(opened.form);
    expect(new TextDecoder().decode(tron.join(opened.calls))).toBe(body);
    const answer = utf8.encode('[{"id":2,"result":"0x1"},{"id":1,"result":"0x2"}]');
    const parts = tron.split(opened.calls, answer)?.map(part => new TextDecoder().decode(part));
    expect(parts).toEqual(['{"id":1,"result":"0x2"}', '{"id":2,"result":"0x1"}']);
  });

  test('a method that stands nowhere is marked unknown', () => {
    const opened = open('/jsonrpc', '{"jsonrpc":"2.0","id":1,"method":"eth_feeHistory"}');
    expect(opened).toMatchObject({ call: { spec: { unknown: true } } });
  });

  test('filters stick to their node', () => {
    expect(rpcMethods.eth_newFilter?.filter).toBe('makes');
    expect(rpcMethods.eth_getFilterChanges?.filter).toBe('uses');
    expect(rpcMethods.eth_getFilterLogs?.filter).toBe('uses');
    expect(rpcMethods.eth_uninstallFilter?.filter).toBe('uses');
  });
});

describe('the tables', () => {
  test('broadcasts are these two and no other', () => {
    const sends = Object.entries({ ...paths, ...indexPaths, ...rpcMethods }).filter(
      ([, row]) => row.kind === 'broadcast',
    );
    expect(sends.map(([name]) => name)).toEqual(['/wallet/broadcasttransaction', '/wallet/broadcasthex']);
  });

  test('every refused row says why', () => {
    for (const [name, row] of Object.entries({ ...paths, ...rpcMethods }))
      expect(row.kind === 'refused' && row.why === undefined, name).toBe(false);
  });

  test('the call is sent on as it came', () => {
    const body = '{ "num" : 5 }\n';
    const opened = open('/wallet/getblockbynum', body);
    if (opened.form !== 'single') throw new Error(opened.form);
    expect(new TextDecoder().decode(opened.call.text)).toBe(body);
    const get = open('/wallet/getblockbynum?num=5', '', 'GET');
    expect(get).toMatchObject({
      call: { verb: 'GET', path: '/wallet/getblockbynum?num=5', method: '/wallet/getblockbynum' },
    });
    const index = open('/v1/assets/1000001', '', 'GET');
    expect(index).toMatchObject({ call: { path: '/v1/assets/1000001', method: '/v1/assets/{asset}' } });
  });
});
