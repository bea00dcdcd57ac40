/** What `rpcgw doctor` looks at on this host: rights, limits, names. */

import { lookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../api/advice-shapes.ts';
import { forbidden } from '../io/addresses.ts';

const fewFiles = 4096;
const resolveWithinMs = 3000;

/** Only what others than the daemon's user may do. */
export function rightsFindings(places: {
  readonly dataDir: string;
  readonly socket: string;
  readonly shared: boolean;
  readonly configPath: string | undefined;
}): Finding[] {
  const { dataDir, socket, shared, configPath } = places;
  const found: Finding[] = [];
  const look = (path: string, forbiddenBits: number, text: string, next: string): void => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && (mode & forbiddenBits) !== 0)
      found.push({
        level: 'fault',
        subject: path,
        text: `${text} (mode ${(mode & 0o777).toString(8)})`,
        next,
      });
  };
  look(dataDir, 0o077, 'others can look into the state', `chmod 700 ${dataDir}`);
  const database = join(dataDir, 'rpcgw.db');
  look(database, 0o077, 'others can read the state, which holds whole URLs', `chmod 600 ${database}`);
  look(
    socket,
    shared ? 0o007 : 0o077,
    'others can give the daemon commands',
    `chmod ${shared ? '660' : '600'} ${socket}`,
  );
  look(
    dirname(socket),
    0o002,
    'everybody can put a socket of their own in its place',
    `chmod o-w ${dirname(socket)}`,
  );
  if (configPath !== undefined)
    look(
      configPath,
      0o022,
      'others can write the config, and with it the allowlist',
      `chmod go-w ${configPath}`,
    );
  return found;
}

/** Linux tells; elsewhere nothing is said. */
export function limitFindings(): Finding[] {
  let soft: number | undefined;
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    soft = line === null ? undefined : Number(line[1]);
  } catch {
    // Not Linux, or hidden: there is nothing to hold against it.
  }
  if (soft === undefined || soft >= fewFiles) return [];
  return [
    {
      level: 'warn',
      subject: 'open files',
      text: `at most ${soft} at a time: every client and every endpoint connection takes one`,
      next: `LimitNOFILE=65536 in the unit file, or: ulimit -n 65536`,
    },
  ];
}

export interface NamedHost {
  readonly host: string;
  readonly allowPrivate: boolean;
}

export interface Resolved {
  readonly addresses: readonly string[];
  /** What is wrong with the name; undefined: nothing. */
  readonly fault: string | undefined;
}

/** Names as the system resolves them now, each once; literal addresses resolve to themselves. */
export async function resolveHosts(hosts: readonly NamedHost[]): Promise<ReadonlyMap<string, Resolved>> {
  const once = new Map(hosts.map(each => [each.host, each]));
  const all = [...once.values()].map(
    async (each): Promise<[string, Resolved]> => [each.host, await resolved(each)],
  );
  return new Map(await Promise.all(all));
}

async function resolved({ host, allowPrivate }: NamedHost): Promise<Resolved> {
  try {
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`no answer within ${resolveWithinMs} ms`)), resolveWithinMs).unref();
    });
    const found = await Promise.race([lookup(host, { all: true }), late]);
    const addresses = found.map(({ address }) => address);
    const barred = allowPrivate ? undefined : addresses.find(address => forbidden(address) !== undefined);
    return {
      addresses,
      fault:
        barred === undefined
          ? undefined
          : `its name leads to ${barred}, which is ${forbidden(barred)}: it is never connected to`,
    };
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { addresses: [], fault: `its name is not resolved: ${why}` };
  }
}
