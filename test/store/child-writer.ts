/**
 * A process to be killed: writes to the store in the folder it is given, and says each thing once it is acknowledged.
 * Lines go out with a plain write, so that none is lost in a buffer of ours.
 */

import { writeSync } from 'node:fs';
import { openStore } from '../../src/store/open.ts';
import { broadcastEnd, broadcastRow, endpointSettings, realClock } from './values.ts';

const say = (line: object): void => {
  writeSync(1, `${JSON.stringify(line)}\n`);
};

const store = await openStore({ dir: process.argv[2] ?? '', clock: realClock });
say({ ready: true });

async function broadcasts(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const txId = `0x${writer}-${n}`;
    const row = await store.broadcasts.begin(broadcastRow({ txId, digest: txId }));
    say({ row, txId });
    if (n % 2 === 0) store.broadcasts.finish(row, broadcastEnd());
  }
}

async function operator(): Promise<never> {
  for (let n = 0; ; n++) {
    const name = `spare-${n}`;
    await store.endpoints.put({ chain: 'ethereum', settings: endpointSettings({ name }), addedAt: n });
    say({ endpoint: name });
    await store.endpoints.remove('ethereum', `spare-${n - 10}`);
    say({
      audit: await store.audit.append({ who: 'ops', action: 'endpoint add', target: name, result: 'done' }),
    });
  }
}

await Promise.all([operator(), ...Array.from({ length: 8 }, (_, writer) => broadcasts(writer))]);
