import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../src/api/paths.ts';
import { type Here, startAlone } from './here.ts';

/** What an operator got wrong is no fault of the daemon: scripts and alarms tell the two apart by the status. */
describe('wrong use that only the daemon can tell', () => {
  let here: Here;
  beforeAll(async () => {
    here = await startAlone();
  });
  afterAll(() => here.remove());

  const post = (path: string, body: object): Promise<{ status: number | undefined; text: string }> =>
    new Promise((resolve, reject) => {
      const asked = request({ socketPath: here.socket, method: 'POST', path }, answer => {
        let text = '';
        answer.on('data', chunk => (text += String(chunk)));
        answer.on('end', () => resolve({ status: answer.statusCode, text }));
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ chain: 'local', ...body }));
    });

  it.each([
    ['a name that is none', paths.endpointAdd.path, { name: 'a b', url: 'http://127.0.0.1:9/x' }],
    ['a method with an escape', paths.explain.path, { method: '\ud800' }],
    [
      'params of a thousand levels',
      paths.call.path,
      { method: 'm', params: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) },
    ],
    ['a weight that is none', paths.endpointSet.path, { name: 'own', weight: 'x' }],
    ['neither a URL nor a name to test', paths.test.path, {}],
  ])('%s is 400', async (_name, path, body) => {
    const { status, text } = await post(path, body);
    expect([status, text]).toEqual([400, expect.stringContaining('"exit":2')]);
  });
});
