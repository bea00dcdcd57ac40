/**
 * The daemon, and in the same process a store that takes the rows of so many broadcasts a second as its parent says: what
 * reads lose to the log alone, without the connections and answers that a broadcast costs besides.
 *
 *   node bench/kit/rows-beside.ts CONFIG DIR     messages in: rows a second; out: what has been written so far
 */

import { loadConfig } from '../../src/config/load.ts';
import { startDaemon } from '../../src/daemon/daemon.ts';
import { clock } from '../../src/io/clock.ts';
import { openLogger } from '../../src/io/logger.ts';
import { openStore } from '../../src/store/open.ts';
import { broadcastRow, rowEnd } from './rows.ts';

/** Since the start. */
export interface Counted {
  readonly atMs: number;
  readonly written: number;
  /** Rows that were not on disk within their second. */
  readonly late: number;
  readonly commits: number;
}

const [, , file = '', dir = ''] = process.argv;
const loaded = loadConfig(file, process.env);
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const daemon = await startDaemon({
  config: loaded.config,
  configPath: file,
  dataDir: `${dir}/daemon`,
  socket: `${dir}/s/rpcgw.sock`,
  logger: openLogger({ level: 'error', form: 'json', colour: false, write: () => true }),
  version: 'bench',
});
await daemon.ready;
const store = await openStore({ dir: `${dir}/rows`, clock });

let perSecond = 0;
let asked = 0;
let written = 0;
let late = 0;
let last = performance.now();
let owed = 0;
setInterval(() => {
  const now = performance.now();
  owed += (perSecond * (now - last)) / 1000;
  last = now;
  for (; owed >= 1; owed -= 1) {
    asked += 1;
    store.broadcasts.begin(broadcastRow(asked)).then(
      row => {
        written += 1;
        store.broadcasts.finish(row, rowEnd);
      },
      () => {
        late += 1;
      },
    );
  }
}, 2);

process.on('message', (rate: number) => {
  const counted: Counted = { atMs: performance.now(), written, late, commits: store.counters.commits };
  process.send?.(counted);
  perSecond = rate;
  owed = 0;
});
process.send?.({ url: daemon.url });
