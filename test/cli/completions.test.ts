import { describe, expect, it } from 'vitest';
import { commands, groups } from '../../src/cli/commands.ts';
import { completionsFor, type LiveNames } from '../../src/cli/completions.ts';

const names: LiveNames = {
  chains: async () => ['ethereum', 'tron'],
  endpoints: async chain =>
    chain === 'ethereum' ? ['infura', 'own'] : chain === undefined ? ['infura', 'own', 'grid'] : ['grid'],
};

async function words(line: string): Promise<readonly string[] | 'files'> {
  const found = await completionsFor(line.split(' '), commands, groups, names);
  return found === 'files' ? found : found.map(({ word }) => word);
}

describe('what could come next', () => {
  it('is every command and group, in the order of the help, without the hidden ones', async () => {
    const first = await words('');
    expect(first).toContain('status');
    expect(first).toContain('endpoint');
    expect(first).not.toContain('complete');
    expect(await words('e')).toEqual(['explain', 'endpoint', 'events']);
    expect(await words('endpoint d')).toEqual(['drain', 'disable']);
  });

  it('is names of chains and endpoints as the daemon has them', async () => {
    expect(await words('status ')).toEqual(['ethereum', 'tron']);
    expect(await words('endpoint drain e')).toEqual(['ethereum']);
    expect(await words('endpoint drain ethereum ')).toEqual(['infura', 'own']);
    expect(await words('endpoint drain --wait tron ')).toEqual(['grid']);
    expect(await words('events --chain ethereum --endpoint ')).toEqual(['infura', 'own']);
    expect(await words('events --endpoint g')).toEqual(['grid']);
    expect(await words('call ')).toEqual(['ethereum', 'tron']);
  });

  it('is options of this command and of all', async () => {
    const options = await words('endpoint drain ethereum own --');
    expect(options).toContain('--wait');
    expect(options).toContain('--json');
    expect(options).not.toContain('--weight');
    expect(await words('endpoint set ethereum own --we')).toEqual(['--weight']);
  });

  it('is the words a value can have, or files', async () => {
    expect(await words('log-level w')).toEqual(['warn']);
    expect(await words('completion ')).toEqual(['bash', 'zsh', 'fish']);
    expect(await words('endpoint add ethereum u --broadcast ')).toEqual(['allow', 'never']);
    expect(await words('status --color n')).toEqual(['never']);
    expect(await words('check ')).toBe('files');
    expect(await words('status --config ')).toBe('files');
  });

  it('is nothing where anything may stand', async () => {
    expect(await words('call ethereum ')).toEqual([]);
    expect(await words('endpoint set ethereum own --weight ')).toEqual([]);
    expect(await words('status ethereum ')).toEqual([]);
    expect(await words('nonsense ')).toEqual([]);
  });

  it('goes on with a group that is a command too', async () => {
    expect(await words('broadcasts ')).toEqual(['show', 'settle', 'export']);
    expect(await words('broadcasts --un')).toEqual(['--unknown']);
  });
});
