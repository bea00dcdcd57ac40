/**
 * What it costs to ask so many endpoints in turn with nothing decided: one undici client each, one timer for all.
 *
 *   node bench/kit/idle-floor.ts BASE-URL ENDPOINTS REQUESTS-A-SECOND
 */

import { Client } from 'undici';

const [, , url = '', endpoints = '0', perSecond = '0'] = process.argv;
const clients = Array.from(
  { length: Number(endpoints) },
  () => new Client(url, { keepAliveTimeout: 75_000 }),
);
const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",false]}';
const tickMs = 25;
let next = 0;
let owed = 0;
setInterval(() => {
  for (owed += (Number(perSecond) * tickMs) / 1000; owed >= 1; owed -= 1) {
    const client = clients[next % clients.length];
    next += 1;
    let text = '';
    client?.dispatch(
      { path: '/1/0', method: 'POST', headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData(_, chunk) {
          text += chunk.toString('latin1');
        },
        onResponseEnd: () => void JSON.parse(text),
        onResponseError: (_, error) => {
          throw error;
        },
      },
    );
  }
}, tickMs);
process.send?.('asking');
