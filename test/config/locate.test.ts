import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataDirOf, findConfig, socketOf, socketPaths } from '../../src/config/locate.ts';
import { configuredPlaces } from '../../src/config/places.ts';

const home = { HOME: '/home/op' };
const xdg = {
  ...home,
  XDG_CONFIG_HOME: '/xdg/config',
  XDG_STATE_HOME: '/xdg/state',
  XDG_RUNTIME_DIR: '/run/user/7',
};
const unit = { STATE_DIRECTORY: '/var/lib/rpcgw:/var/lib/other', RUNTIME_DIRECTORY: '/run/rpcgw' };

describe('the config', () => {
  const everywhere = () => true;

  it.each([
    ['the flag before all', '/a.yaml', { RPCGW_CONFIG: '/b.yaml', ...xdg }, '/a.yaml', '--config'],
    [
      'the variable before the search',
      undefined,
      { RPCGW_CONFIG: '/b.yaml', ...xdg },
      '/b.yaml',
      'RPCGW_CONFIG',
    ],
    ['an empty variable is none', undefined, { RPCGW_CONFIG: '', ...xdg }, 'rpcgw.yaml', 'search'],
    ['the folder before the home', undefined, xdg, 'rpcgw.yaml', 'search'],
  ])('%s', (_what, flag, env, path, from) => {
    expect(findConfig(flag, env, everywhere)).toEqual({ path, from });
  });

  it('one that was named is taken even if it is not there', () => {
    expect(findConfig('/a.yaml', {}, () => false)).toEqual({ path: '/a.yaml', from: '--config' });
    expect(findConfig(undefined, { RPCGW_CONFIG: '/b.yaml' }, () => false)).toEqual({
      path: '/b.yaml',
      from: 'RPCGW_CONFIG',
    });
  });

  it.each([
    ['the home by XDG', xdg, '/xdg/config/rpcgw/rpcgw.yaml'],
    ['the home without XDG', home, '/home/op/.config/rpcgw/rpcgw.yaml'],
    [
      'a relative XDG folder is ignored',
      { ...home, XDG_CONFIG_HOME: 'config' },
      '/home/op/.config/rpcgw/rpcgw.yaml',
    ],
    ['the machine last', xdg, '/etc/rpcgw/rpcgw.yaml'],
    ['the machine, without a home', {}, '/etc/rpcgw/rpcgw.yaml'],
  ])('%s', (_what, env, path) => {
    expect(findConfig(undefined, env, there => there === path)).toEqual({ path, from: 'search' });
  });

  it('nowhere: says where it looked', () => {
    expect(findConfig(undefined, xdg, () => false)).toEqual({
      path: undefined,
      tried: ['rpcgw.yaml', '/xdg/config/rpcgw/rpcgw.yaml', '/etc/rpcgw/rpcgw.yaml'],
    });
  });
});

describe('the state', () => {
  it.each([
    ['the config before all', { dataDir: '/data' }, { ...unit, ...xdg }, '/data'],
    ["systemd's first folder", {}, { ...unit, ...xdg }, '/var/lib/rpcgw'],
    ['XDG', {}, xdg, '/xdg/state/rpcgw'],
    ['the home', {}, home, '/home/op/.local/state/rpcgw'],
    ['no home', {}, {}, undefined],
  ])('%s', (_what, places, env, path) => {
    expect(dataDirOf(places, env)).toBe(path);
  });
});

describe('the socket', () => {
  it.each([
    ['the config before all', { socket: '/s' }, { RPCGW_SOCKET: '/v', ...unit, ...xdg }, '/s'],
    ['the variable', {}, { RPCGW_SOCKET: '/v', ...unit, ...xdg }, '/v'],
    ["systemd's folder", {}, { ...unit, ...xdg }, '/run/rpcgw/rpcgw.sock'],
    ["the user's folder", {}, xdg, '/run/user/7/rpcgw.sock'],
    ['the state', {}, home, '/home/op/.local/state/rpcgw/rpcgw.sock'],
    ['the state that the config names', { dataDir: '/data' }, {}, '/data/rpcgw.sock'],
    ['nowhere', {}, {}, undefined],
  ])('%s', (_what, places, env, path) => {
    expect(socketOf(places, env)).toBe(path);
  });

  it('the commands look where the daemon could be, then where systemd puts it', () => {
    expect(socketPaths({ RPCGW_SOCKET: '/v', ...xdg }, undefined, { socket: '/s' })).toEqual([
      '/s',
      '/v',
      '/run/user/7/rpcgw.sock',
      '/xdg/state/rpcgw/rpcgw.sock',
      '/run/rpcgw/rpcgw.sock',
    ]);
    expect(socketPaths(unit)).toEqual(['/run/rpcgw/rpcgw.sock', '/var/lib/rpcgw/rpcgw.sock']);
    expect(socketPaths({})).toEqual(['/run/rpcgw/rpcgw.sock']);
  });

  it('one that was named is the only one', () => {
    expect(socketPaths({ RPCGW_SOCKET: '/v' }, '/flag', { socket: '/s' })).toEqual(['/flag']);
  });
});

describe('places a config names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rpcgw-locate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (text: string) => {
    const path = join(folder, 'rpcgw.yaml');
    writeFileSync(path, text);
    return path;
  };

  it.each([
    ['absolute', 'dataDir: /data\nsocket: /s', { dataDir: '/data', socket: '/s' }],
    ['beside the file', 'socket: run/s', { socket: join(folder, 'run/s') }],
    ['by a variable', 'socket: $PLACE/s', { socket: '/place/s' }],
    ['by a variable that is not set', 'socket: $UNSET/s\ndataDir: /data', { dataDir: '/data' }],
    [
      'in a file whose secrets only the daemon has',
      'socket: /s\nchains: { ethereum: { endpoints: [{ url: "$KEY" }] } }',
      { socket: '/s' },
    ],
    ['in a file that is no YAML', 'socket: [', {}],
    ['of the wrong type', 'socket: 5', {}],
    ['none', 'hello', {}],
  ])('%s', (_what, text, places) => {
    const path = write(text.replaceAll(/\$(\w+)/g, (_, name) => `\${${name}}`));
    expect(configuredPlaces(path, { PLACE: '/place' })).toEqual(places);
  });

  it('in a file that is not there', () => {
    expect(configuredPlaces(join(folder, 'none.yaml'), {})).toEqual({});
  });
});
