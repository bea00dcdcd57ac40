import { dirname, resolve } from 'node:path';
import type { Places } from './locate.ts';
import { type Env, expand } from './secrets.ts';
import { readSource } from './source.ts';
import { isTable } from './table.ts';
import { readText } from './text.ts';

/**
 * What a file says of state and socket, for the commands: they run without the daemon's secrets, and need no more of it.
 * Nothing where it cannot be read; `rpcgw check` tells what is wrong with it.
 */
export function configuredPlaces(path: string, env: Env): Places {
  const file = readText(path);
  const value = 'text' in file ? readSource(file.text).value : undefined;
  if (!isTable(value)) return {};
  const places = expand({ dataDir: value.dataDir, socket: value.socket }, env);
  const place = (key: 'dataDir' | 'socket') => {
    const given = isTable(places.value) && !places.hides([key]) ? places.value[key] : undefined;
    return typeof given === 'string' ? { [key]: resolve(dirname(path), given) } : {};
  };
  return { ...place('dataDir'), ...place('socket') };
}
