import { expect, it } from 'vitest';
import { requestPath } from '../../src/io/request-path.ts';

const table: readonly [endpoint: string, path: string, sent: string][] = [
  ['https://rpc.test', '', '/'],
  ['https://rpc.test/', '', '/'],
  ['https://rpc.test/v3/key', '', '/v3/key'],
  ['https://rpc.test/v3/key/', '', '/v3/key/'],
  ['https://rpc.test/v3?key=a%20b', '', '/v3?key=a%20b'],
  ['https://rpc.test/v3#part', '', '/v3'],
  ['https://rpc.test', '/wallet/getnowblock', '/wallet/getnowblock'],
  ['https://rpc.test/', '/wallet/getnowblock', '/wallet/getnowblock'],
  ['https://rpc.test/key', '/wallet/getnowblock', '/key/wallet/getnowblock'],
  ['https://rpc.test/key/', '/wallet/getnowblock', '/key/wallet/getnowblock'],
  ['https://rpc.test/?key=1', '/wallet/getaccount', '/wallet/getaccount?key=1'],
  ['https://rpc.test', '/wallet/getaccount?visible=true', '/wallet/getaccount?visible=true'],
  ['https://rpc.test/a?key=1', '/wallet/getaccount?visible=true', '/a/wallet/getaccount?key=1&visible=true'],
  ['https://rpc.test/a?key=1', '/wallet/getaccount?', '/a/wallet/getaccount?key=1'],
  ['https://rpc.test/a?', '/wallet/getaccount?x=?&y=/', '/a/wallet/getaccount?x=?&y=/'],
];

it.each(table)('%s with %s asks for %s', (endpoint, path, sent) => {
  expect(requestPath(new URL(endpoint), path)).toBe(sent);
});
