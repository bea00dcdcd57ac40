/**
 * Stands in for the system's resolver in a process that is started with `--import` of this file, so that a test decides
 * what a name means and sees which names were asked for. Nothing is asked of any server.
 */

import dns from 'node:dns';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

type Answer = (error: Error | null, addresses: readonly dns.LookupAddress[]) => void;

const system = dns.lookup;

/** As the dialer asks: with `all`. Literal addresses, to listen on, are no questions. */
function lookup(hostname: string, options: dns.LookupOptions, answer: Answer): void {
  if (isIP(hostname) !== 0) {
    // The types know one form of the options each.
    Reflect.apply(system, dns, [hostname, options, answer]);
    return;
  }
  const { TEST_NAMES: names = '', TEST_NAMES_ASKED: asked = '' } = process.env;
  appendFileSync(asked, `${hostname}\n`);
  // The test writes it.
  const known = JSON.parse(readFileSync(names, 'utf8')) as Record<string, readonly string[]>;
  const addresses = (known[hostname] ?? []).map(address => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
  setImmediate(() => answer(addresses.length === 0 ? error : null, addresses));
}

Object.assign(dns, { lookup });
syncBuiltinESMExports();
