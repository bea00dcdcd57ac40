import { describe, expect, test } from 'vitest';
import { presetOf } from '../../../src/chains/presets.ts';
import { tron } from '../../../src/chains/tron/index.ts';
import { addressOf } from '../../../src/chains/tron/protobuf.ts';
import { options, utf8 } from './cases.ts';

const { probes } = tron;
const genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';
const id = '0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e';
const json = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
const [headPart, constantPart, transferPart, resourcePart, parameterPart] = probes.builds ?? [];

test('every question passes our own door', () => {
  const asked = [
    probes.head,
    ...probes.identity,
    probes.history('blocks', 5),
    ...(probes.builds ?? []),
    probes.client,
  ];
  for (const probe of asked) {
    if (probe === undefined) throw new Error('a question is missing');
    const { verb, path, text } = probe.call;
    expect(tron.open({ verb, target: path, body: text }, options)).toMatchObject({
      form: 'single',
      call: { method: probe.call.method },
    });
    expect(probe.call.spec.kind).toBe('read');
  }
});

test('addresses in the questions are addresses', () => {
  for (const probe of probes.builds ?? [])
    for (const [, address] of new TextDecoder().decode(probe.call.text).matchAll(/"(T[^"]{20,})"/g))
      expect(addressOf(address ?? ''), address).toBeDefined();
});

describe('head', () => {
  test.each<[unknown, unknown]>([
    [
      { blockID: id, block_header: { raw_data: { number: 66987565, timestamp: 1777445121000 } } },
      { height: 66987565, blockTimeMs: 1777445121000 },
    ],
    [{ blockID: id, block_header: { raw_data: { number: 5 } } }, { height: 5 }],
    [{ blockID: id, block_header: { raw_data: {} } }, undefined],
    [{}, undefined],
    [[], undefined],
    ['x', undefined],
  ])('%j', (body, seen) => {
    expect(probes.head.read(json(body))).toEqual(seen);
  });
});

describe('identity', () => {
  const [block, chainId] = probes.identity;
  test('the id of block 0 is what a preset expects', () => {
    expect(block?.read(json({ blockID: genesis, block_header: { raw_data: {} } }))).toBe(genesis);
    expect(presetOf('tron')?.identity).toBe(genesis);
    expect(block?.read(json({}))).toBeUndefined();
  });

  test.each([
    ['0x2b6653dc', genesis],
    ['0x94a9059e', '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e'],
    ['0xcd8690dc', '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc'],
    ['0x1', undefined],
    ['0x12345678', undefined],
    [1, undefined],
  ])('chain id %s', (result, expected) => {
    expect(chainId?.read(json({ jsonrpc: '2.0', id: 1, result }))).toBe(expected);
  });
});

describe('history', () => {
  test.each<[string, boolean | undefined]>([
    [JSON.stringify({ blockID: id }), true],
    ['{}', false],
    ['this API is closed because this node is a lite fullnode', false],
    ['{"Error":"class java.lang.IllegalAccessException : lack of computing resources"}', undefined],
    ['<html></html>', undefined],
    ['', undefined],
  ])('%s', (body, expected) => {
    for (const kind of probes.historyKinds)
      expect(probes.history(kind, 5).read(utf8.encode(body))).toBe(expected);
  });
});

describe('building a withdrawal', () => {
  const hex = (text: string): string => Buffer.from(text).toString('hex');
  const head = { blockID: id, block_header: { raw_data: { number: 5, timestamp: 1, parentHash: id } } };
  test.each<[string, typeof headPart, unknown, boolean | undefined]>([
    ['a head', headPart, head, true],
    [
      'a head without its parent',
      headPart,
      { blockID: id, block_header: { raw_data: { number: 5, timestamp: 1 } } },
      false,
    ],
    ['a number alone', headPart, { number: 5 }, false],
    ['a call', constantPart, { result: { result: true }, energy_used: 5, constant_result: ['00'] }, true],
    [
      'a network without that contract',
      constantPart,
      { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hex('Smart contract is not exist.') } },
      true,
    ],
    [
      'constant calls off',
      constantPart,
      { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hex('this node does not support constant') } },
      false,
    ],
    [
      'constant calls off, older',
      constantPart,
      { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hex("this node don't support constant") } },
      false,
    ],
    [
      'a call that timed out',
      constantPart,
      {
        result: {
          code: 'OTHER_ERROR',
          message: hex('class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout'),
        },
      },
      undefined,
    ],
    [
      'a transaction',
      transferPart,
      { txID: id, raw_data: { ref_block_bytes: '2927' }, raw_data_hex: '0a' },
      true,
    ],
    ['a transaction without bytes', transferPart, { txID: id, raw_data: { ref_block_bytes: '2927' } }, false],
    [
      'no money',
      transferPart,
      {
        Error:
          'class org.tron.core.exception.ContractValidateException : Validate TransferContract error, balance is not sufficient.',
      },
      true,
    ],
    [
      'no account',
      transferPart,
      {
        Error:
          'class org.tron.core.exception.ContractValidateException : Validate TransferContract error, no OwnerAccount.',
      },
      true,
    ],
    ['nothing', transferPart, {}, false],
    ['switched off', transferPart, { Error: 'this API is unavailable due to config' }, false],
    [
      'a limit',
      transferPart,
      { Error: 'request rate exceeded the allowed_rps(3), and the query server is suspended for 5 s' },
      undefined,
    ],
    ['resources', resourcePart, { TotalEnergyWeight: 5 }, true],
    ['nobody’s resources', resourcePart, {}, true],
    ['resources without totals', resourcePart, { freeNetLimit: 600 }, false],
    ['parameters', parameterPart, { chainParameter: [] }, true],
    ['other parameters', parameterPart, { result: 'ok' }, false],
  ])('%s', (_, probe, body, expected) => {
    expect(probe?.read(json(body))).toBe(expected);
  });

  test('a path that is not there', () => {
    const jetty =
      '<html><title>Error 404 Not Found</title><body><h2>HTTP ERROR 404</h2>Powered by Jetty://</body></html>';
    expect(transferPart?.read(utf8.encode(jetty))).toBe(false);
    expect(transferPart?.read(utf8.encode('<html><title>502 Bad Gateway</title></html>'))).toBeUndefined();
  });
});

test('the client names its version', () => {
  expect(probes.client?.read(json({ configNodeInfo: { codeVersion: '4.8.1' } }))).toBe('java-tron 4.8.1');
  expect(probes.client?.read(json({}))).toBeUndefined();
});
