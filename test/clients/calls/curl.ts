import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EvmNode } from '../evm-node.ts';
import type { Client } from '../session.ts';

const run = promisify(execFile);

/** What people paste into a terminal; status, type and body are what it shows. */
export const curl: Client<EvmNode> = {
  name: 'curl',
  // The machine's own, and any will do.
  version: '',
  onPurpose: {
    eth_accounts: 'a node’s own accounts are nobody’s business: answered with an empty list',
    'the same transaction again':
      'a node says “nonce too low” of a transaction it has in a block; the gateway answers its id, and sends nothing',
    eth_sign: 'nothing that signs with a key of the node is forwarded',
  },
  async run({ url, call }, node) {
    const post = async (body: string, ...more: readonly string[]): Promise<string> => {
      const shown = '\n%{http_code} %{content_type}';
      const args = ['-s', '-w', shown, '-H', 'content-type: application/json', ...more, '-d', body, url];
      return (await run('curl', args, { maxBuffer: 8 << 20 })).stdout;
    };
    const ask = (method: string, params: readonly unknown[] = [], id: unknown = 1): Promise<string> =>
      post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const to = `0x${'22'.repeat(20)}`;
    await call('eth_chainId', () => ask('eth_chainId'));
    await call('an id of zero', () => ask('eth_blockNumber', [], 0));
    await call('an id that is a string', () => ask('eth_blockNumber', [], 'a-b'));
    await call('an id that is empty', () => ask('eth_blockNumber', [], ''));
    await call('an id with escapes', () => ask('eth_blockNumber', [], 'ü"\\\n'));
    await call('a negative id', () => ask('eth_blockNumber', [], -7));
    await call('no params', () => post('{"jsonrpc":"2.0","id":3,"method":"eth_gasPrice"}'));
    await call('white space', () =>
      post(' {\n "jsonrpc" : "2.0" , "id" : 3 , "method" : "eth_gasPrice" , "params" : [ ] }\n'),
    );
    await call('a notification', () => post('{"jsonrpc":"2.0","method":"eth_blockNumber","params":[]}'));
    await call('eth_getBlockByNumber', () => ask('eth_getBlockByNumber', ['0xb', true]));
    await call('eth_getLogs', () =>
      ask('eth_getLogs', [{ address: node.contract, fromBlock: '0x0', toBlock: '0xc' }]),
    );
    await call('eth_call that reverts', () =>
      ask('eth_call', [{ to: node.contract, data: '0x01' }, 'latest']),
    );
    await call('eth_estimateGas that reverts', () =>
      ask('eth_estimateGas', [{ to: node.contract, data: '0x01' }]),
    );
    await call('params of the wrong type', () => ask('eth_getBalance', [7, 'latest']));
    await call('too few params', () => ask('eth_getBalance'));
    await call('state that is not there yet', () => ask('eth_getBalance', [to, '0x270f']));
    await call('an unknown block hash', () =>
      ask('eth_getBalance', [to, { blockHash: `0x${'ab'.repeat(32)}` }]),
    );
    await call('an unknown method', () => ask('eth_nonsense'));
    await call('bytes that are no transaction', () => ask('eth_sendRawTransaction', ['0x1234']));
    await call('eth_getCode, a large answer', () => ask('eth_getCode', [node.large, 'latest']));
    await call('eth_getTransactionReceipt that is not there', () =>
      ask('eth_getTransactionReceipt', [`0x${'ab'.repeat(32)}`]),
    );
    const raw = await node.transfer(2, 35);
    await call('eth_sendRawTransaction', () => ask('eth_sendRawTransaction', [raw]));
    await node.mine();
    await call('the same transaction again', () => ask('eth_sendRawTransaction', [raw]));
    const used = await node.transfer(0, 36);
    await call('a used nonce', () => ask('eth_sendRawTransaction', [used]));
    await call('eth_accounts', () => ask('eth_accounts'));
    await call('eth_sign', () => ask('eth_sign', [node.account, '0x00']));
    await call('a batch', () =>
      post(
        JSON.stringify([
          { jsonrpc: '2.0', id: 'x', method: 'eth_chainId' },
          { jsonrpc: '2.0', id: 2, method: 'eth_nonsense' },
          { jsonrpc: '2.0', method: 'eth_blockNumber' },
          { jsonrpc: '2.0', id: 3, method: 'eth_getBlockByNumber', params: ['latest', false] },
        ]),
      ),
    );
    await call('HTTP/1.0', () => post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', '--http1.0'));
    await call('a body in chunks', () =>
      post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', '-H', 'transfer-encoding: chunked'),
    );
    await call('Expect: 100-continue', () =>
      post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}', '-H', 'expect: 100-continue'),
    );
  },
};
