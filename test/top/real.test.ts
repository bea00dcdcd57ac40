import { beforeAll, describe, expect, it } from 'vitest';
import { watchOnTerminal } from '../../src/top/run.tsx';
import type { Gateway } from '../kit/gateway.ts';
import { chainOf, stage } from '../kit/stage.ts';
import type { Upstream } from '../kit/upstream.ts';
import { fakeTerminal } from './terminal.ts';

/** Everything else here shows what a test made up; this is the daemon itself. */
describe('the dashboard of a real daemon', () => {
  const on = stage();
  let gateway: Gateway;

  beforeAll(async () => {
    const [a, b] = (await on.upstreams(2)) as [Upstream, Upstream];
    gateway = await on.gateway({ chains: { local: chainOf({ a, b }) } });
  });

  it('shows its pools in a pipe', async () => {
    const { code, stdout, stderr } = await gateway.command('top');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/READY/);
    expect(stdout).toMatch(/^ {2}local +● 2\/2/m);
    expect(stdout).toMatch(/^ {2}a +● healthy/m);
  });

  it('tests, drains and enables an endpoint, shows what came of it, and finds a daemon that was restarted', async () => {
    const terminal = fakeTerminal(120, 33);
    const exit = watchOnTerminal(
      {
        api: gateway.api,
        chain: 'local',
        intervalMs: 200,
        who: 'a test',
        look: { colour: false, ascii: false },
      },
      terminal,
    );
    await Promise.race([terminal.shows('healthy'), exit]);
    terminal.press('t');
    await terminal.shows('[y/N]');
    terminal.press('y');
    await terminal.shows('PASS identity');
    terminal.press('d');
    await terminal.shows(/drain local\/[ab].*\[y\/N\]/);
    terminal.press('y');
    await terminal.shows('■ draining');
    await terminal.shows('▲ 1/2');
    // What drains is sorted above what is well, so the mark is on it still.
    terminal.press('e');
    await terminal.shows(/enable.*\[y\/N\]/);
    terminal.press('y');
    await terminal.shows('● 2/2');

    await gateway.stop();
    await terminal.shows('NO ANSWER');
    await terminal.shows(/lost for \d+s, reconnecting/);
    await gateway.restart();
    await terminal.shows(/daemon restarted, back after \d+s/);
    await terminal.shows('READY');
    terminal.press('q');
    expect(await exit).toBe(0);
    const audit = await gateway.command('audit', 'list', '--json');
    expect(audit.stdout).toContain('"a test"');
  });
});
