import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../kit/gateway.ts';
import { type Here, startHere } from './here.ts';

/** Clears the screen, goes up a line, turns a line around, rings: what would hide a row of the audit from its reader. */
const tricks = ['\u001b[2J', '\u001b[1A\r', '\u009b2J', '\u202e', '\u0007', '\u2028', '\u0000', '\n'];

describe('what one operator writes and another one reads', () => {
  let here: Here;
  beforeAll(async () => {
    const endpoints = ['own', 'other'].map(name => ({
      name,
      url: `http://127.0.0.1:9/${name}`,
      allowPrivate: true,
    }));
    here = await startHere({
      chains: { local: { family: 'evm', chainId: 31337, probes: { interval: '1h' }, endpoints } },
    });
  });
  afterAll(() => here.remove());

  it('moves nothing on their terminal: who did it', async () => {
    for (const [at, trick] of tricks.entries())
      await here.api.ask('endpointSet', {
        chain: 'local',
        name: 'own',
        weight: String(at + 1),
        who: `me${trick}`,
      });
    const shown = await runCommand(['audit', 'list'], { env: { RPCGW_SOCKET: here.socket } });
    expect(shown.stdout.split('\n').filter(line => line.includes('endpoint set'))).toHaveLength(
      tricks.length,
    );
    expect(shown.stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\u2028]/u);
    for (const { who } of here.rows('audit')) expect(who).toMatch(/^me [ -~]*$/);
  });

  it.each(tricks)('is no label with %j', async trick => {
    const input = { chain: 'local', name: 'added', url: 'http://127.0.0.1:9/added' };
    for (const labels of [{ a: trick }, { [`a${trick}`]: 'b' }])
      await expect(here.api.ask('endpointAdd', { ...input, labels })).rejects.toMatchObject({
        code: 'bad_admin_request',
      });
    expect(here.rows('endpoint')).toEqual([]);
  });
});
