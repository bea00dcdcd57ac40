/**
 * Stands in for the system's resolver in a process that is started with `--import` of this file. Names below `.invalid`
 * stand for the loopback, unless the file that FAULTS_NAMES points at says `fails` or `hangs` for them. Nothing is asked
 * of any server. The program under test knows nothing of it.
 */

import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export type Names = Readonly<Record<string, 'fails' | 'hangs'>>;

const file = process.env.FAULTS_NAMES;
const system = dns.lookup;

type Answer = (error: Error | null, addresses: readonly dns.LookupAddress[]) => void;

/** As the dialer asks: with `all`. */
function lookup(hostname: string, options: dns.LookupOptions, answer: Answer): void {
  if (!hostname.endsWith('.invalid') || file === undefined) {
    system(hostname, { ...options, all: true }, answer);
    return;
  }
  const names = JSON.parse(readFileSync(file, 'utf8')) as Names; // The bench writes it.
  const fate = names[hostname];
  if (fate === 'hangs') return;
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  setImmediate(() => {
    if (fate === 'fails') answer(error, []);
    else answer(null, [{ address: '127.0.0.1', family: 4 }]);
  });
}

Object.assign(dns, { lookup });
syncBuiltinESMExports();
