/** Where config, state and socket are (contract section 7, "Where"). Told the environment and what exists. */

import { isAbsolute, join } from 'node:path';
import type { Env } from './secrets.ts';

export type Found =
  | { readonly path: string; readonly from: string }
  /** Nowhere: the places that were looked at, in order. */
  | { readonly path: undefined; readonly tried: readonly string[] };

/** Places the config may name, absolute. */
export interface Places {
  readonly dataDir?: string;
  readonly socket?: string;
}

/** A place that was named is taken, whether it is there or not: another config than the one meant would be worse. */
export function findConfig(flag: string | undefined, env: Env, exists: (path: string) => boolean): Found {
  if (flag !== undefined) return { path: flag, from: '--config' };
  const named = given(env.RPCGW_CONFIG);
  if (named !== undefined) return { path: named, from: 'RPCGW_CONFIG' };
  const home = xdg(env, 'XDG_CONFIG_HOME', '.config');
  const tried = [
    'rpcgw.yaml',
    ...(home === undefined ? [] : [join(home, 'rpcgw', 'rpcgw.yaml')]),
    '/etc/rpcgw/rpcgw.yaml',
  ];
  const path = tried.find(exists);
  return path === undefined ? { path, tried } : { path, from: 'search' };
}

/** Undefined: the environment gives no place to keep state, so the config must. */
export function dataDirOf(places: Places, env: Env): string | undefined {
  const home = xdg(env, 'XDG_STATE_HOME', join('.local', 'state'));
  return (
    places.dataDir ?? firstOf(env.STATE_DIRECTORY) ?? (home === undefined ? undefined : join(home, 'rpcgw'))
  );
}

/** Where the daemon listens for commands. */
export function socketOf(places: Places, env: Env): string | undefined {
  return candidates(places, env)[0];
}

/** Where the commands look, in this order. `flag`: only there. */
export function socketPaths(env: Env, flag?: string, places: Places = {}): readonly string[] {
  if (flag !== undefined) return [flag];
  return [...new Set([...candidates(places, env), '/run/rpcgw/rpcgw.sock'])];
}

function candidates(places: Places, env: Env): readonly string[] {
  const runtime = firstOf(env.RUNTIME_DIRECTORY);
  const user = absolute(env.XDG_RUNTIME_DIR);
  const state = dataDirOf(places, env);
  return [
    places.socket,
    given(env.RPCGW_SOCKET),
    runtime && join(runtime, 'rpcgw.sock'),
    user && join(user, 'rpcgw.sock'),
    state && join(state, 'rpcgw.sock'),
  ].filter(path => path !== undefined);
}

/** The specification's own default, and its rule that a relative path is to be ignored. */
function xdg(env: Env, name: string, inHome: string): string | undefined {
  const home = absolute(env.HOME);
  return absolute(env[name]) ?? (home === undefined ? undefined : join(home, inHome));
}

/** systemd gives several folders with colons between them. */
function firstOf(folders: string | undefined): string | undefined {
  return absolute(folders?.split(':')[0]);
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
