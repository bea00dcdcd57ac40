/**
 * A process to be killed: writes to the store in the folder it is given, and says each thing once it is acknowledged.
 * A line is an array of one, so that one cut short by the kill is seen to be cut.
 */

import { openStore } from '../../src/store/open.ts';
import { broadcastEnd, broadcastRow, endpointSettings, patientClock } from './values.ts';

const say = (line: object): void => {
  process.stdout.write(`${JSON.stringify([line])}\n`);
};

const store = await openStore({ dir: process.argv[2] ?? '', clock: patientClock });
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
