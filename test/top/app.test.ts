import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiClient } from '../../src/api/client.ts';
import { OperatorError } from '../../src/core/errors.ts';
import { frameOnce, type TopOptions, watchOnTerminal } from '../../src/top/run.tsx';
import { type FakeDaemon, fakeDaemon } from '../kit/fake-daemon.ts';
import { ago, fakeEvent, troubledStatus } from '../kit/fake-status.ts';
import { feedWithUnknown } from './scenes.ts';
import { type FakeTerminal, fakeTerminal } from './terminal.ts';

const esc = String.fromCharCode(27);
const enterScreen = `${esc}[?1049h`;
const leaveScreen = `${esc}[?1049l`;

let dir: string;
let daemon: FakeDaemon;
let options: TopOptions;

const done = { already: false, endpoint: null, notes: [] };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rpcgw-top-'));
  const socket = join(dir, 's');
  daemon = await fakeDaemon(socket, {
    status: troubledStatus,
    events: () => ({ events: [fakeEvent({ id: 1, text: 'something happened' })] }),
    broadcasts: () => ({ now: ago(0), broadcasts: feedWithUnknown.broadcasts.slice(0, 1) }),
    endpointDrain: ({ dryRun }) => ({
      ...done,
      dryRun,
      text: `${dryRun === true ? 'would drain it' : 'it is draining'}`,
    }),
    endpointEnable: ({ dryRun }) => ({ ...done, dryRun, already: true, text: 'it is enabled already' }),
    endpointDisable: () => {
      throw new OperatorError('refused_by_rule', 'it is the last one', {
        why: ['nothing else is left'],
        next: ['rpcgw status'],
      });
    },
  });
  options = {
    api: apiClient(async () => [socket]),
    chain: undefined,
    intervalMs: 1_000,
    who: 'ops in top',
    look: { colour: false, ascii: false },
  };
});

afterEach(async () => {
  await daemon.close();
  await rm(dir, { recursive: true, force: true });
});

/** The dashboard on a terminal of its own, until its first frame is there. */
async function started(columns = 120, rows = 33): Promise<{ terminal: FakeTerminal; exit: Promise<number> }> {
  const terminal = fakeTerminal(columns, rows);
  const exit = watchOnTerminal(options, terminal);
  // A start that fails is told, not waited for.
  await Promise.race([terminal.shows('eth-new'), exit]);
  await daemon.watched();
  return { terminal, exit };
}

async function quit({ terminal, exit }: { terminal: FakeTerminal; exit: Promise<number> }): Promise<number> {
  terminal.press('q');
  return exit;
}

describe('on a terminal', () => {
  it('takes the other screen, and gives everything back', async () => {
    const { terminal, exit } = await started();
    expect(terminal.written.join('')).toContain(enterScreen);
    expect(terminal.raw()).toBe(true);
    expect(await quit({ terminal, exit })).toBe(0);
    expect(terminal.written.join('').split(leaveScreen)).toHaveLength(2);
    expect(terminal.written.join('')).toContain(`${esc}[?25h`);
    expect(terminal.raw()).toBe(false);
  });

  it('ends with 130 on Ctrl-C, which is a key there and no signal', async () => {
    const { terminal, exit } = await started();
    terminal.press(String.fromCharCode(3));
    expect(await exit).toBe(130);
    expect(terminal.raw()).toBe(false);
  });

  it('begins at the left edge, whatever was typed and echoed before', async () => {
    const running = await started();
    expect(running.terminal.written[0]).toBe('\r');
    await quit(running);
  });

  it('writes only what is another than before, and shows the same as a whole frame would', async () => {
    const running = await started();
    const { terminal } = running;
    const whole = terminal.written.join('').length;
    const status = { ...troubledStatus(), listen: 'http://127.0.0.1:8601' };
    daemon.send(status);
    await terminal.shows('8601');
    expect(terminal.written.join('').length - whole).toBeLessThan(whole / 2);
    const rows = terminal.screen().split('\n');
    expect(rows[0]).toMatch(
      /^ rpcgw 0\.1\.0 {2}READY {2}127\.0\.0\.1:8601 {2}up 6d .* every 1s {2}14:02:3\dZ$/,
    );
    expect(rows[3]).toBe(`── chains [1] ${'─'.repeat(106)}`);
    expect(rows.at(-1)).toMatch(/^ \? help {2}q quit/);
    await quit(running);
  });

  it('is drawn anew when the window is another', async () => {
    const running = await started();
    running.terminal.resize(59, 20);
    await running.terminal.shows('usable');
    running.terminal.resize(39, 9);
    await running.terminal.shows('window too small');
    running.terminal.resize(80, 24);
    const text = await running.terminal.shows('chains [1]');
    expect(text.split('\n').filter(row => row.includes('chains [1]'))).toHaveLength(1);
    await quit(running);
  });

  it('tells before the screen is taken that the daemon is not there', async () => {
    await daemon.close();
    const terminal = fakeTerminal(120, 33);
    await expect(watchOnTerminal(options, terminal)).rejects.toMatchObject({ code: 'daemon_unreachable' });
    expect(terminal.written).toEqual([]);
  });

  it('tells that there is no such chain', async () => {
    await expect(
      watchOnTerminal({ ...options, chain: 'etherium' }, fakeTerminal(120, 33)),
    ).rejects.toMatchObject({
      code: 'no_such_chain',
    });
  });
});

describe('an action from inside', () => {
  it('is asked of the daemon as a dry run, then done, with its name in the audit', async () => {
    const running = await started();
    const { terminal } = running;
    terminal.press('d');
    await terminal.shows('drain it?  [y/N]');
    expect(daemon.asked).toEqual([
      {
        route: 'endpointDrain',
        input: { chain: 'ethereum', name: 'eth-new', dryRun: true, who: 'ops in top' },
      },
    ]);
    terminal.press('y');
    await terminal.shows('it is draining');
    expect(daemon.asked[1]?.input).toMatchObject({ dryRun: false, name: 'eth-new' });
    await quit(running);
  });

  it('is not done without a yes', async () => {
    const running = await started();
    running.terminal.press('d');
    await running.terminal.shows('[y/N]');
    running.terminal.press('\r');
    await running.terminal.shows('nothing was done');
    expect(daemon.asked).toHaveLength(1);
    await quit(running);
  });

  it('is not answered by what came in one piece with its key', async () => {
    const running = await started();
    running.terminal.press('dy');
    await running.terminal.shows('[y/N]');
    expect(daemon.asked).toHaveLength(1);
    running.terminal.press('n');
    await running.terminal.shows('nothing was done');
    await quit(running);
    expect(daemon.asked).toHaveLength(1);
  });

  it('is not begun by what is pasted', async () => {
    const running = await started();
    running.terminal.press(`${esc}[200~dy${esc}[201~`);
    running.terminal.press('?');
    await running.terminal.shows('Esc goes back');
    expect(daemon.asked).toEqual([]);
    await quit(running);
  });

  it('says that it is so already', async () => {
    const running = await started();
    running.terminal.press('e');
    await running.terminal.shows('it is enabled already');
    expect(daemon.asked).toHaveLength(1);
    await quit(running);
  });

  it('says what the daemon refuses, why, and what next', async () => {
    const running = await started();
    running.terminal.press('x');
    const text = await running.terminal.shows('it is the last one');
    expect(text).toContain('nothing else is left');
    expect(text).toContain('rpcgw status');
    await quit(running);
  });
});

describe('without a terminal', () => {
  it('is one plain frame with everything in it, uncut', async () => {
    const text = await frameOnce(options, undefined);
    expect(text).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d  14:02:31Z
       1,212 req/s  ok 99.99%  in flight 40  slowest ethereum p95 64ms
       ! eth-new ✖ wrong network
       ! bnb-quick ▲ stale
       ! tron-grid ◌ cooling 18s
       ! eth-public ◐ quarantine 13/20
       ! bnb: no spare left: one usable endpoint
       ! tron: no spare left: one usable endpoint

        CHAIN      USABLE          HEAD        AGE   REQ/S    OK%    P50     P95  INFL
        ethereum   ▲ 3/5     21,904,112    4s /12s   588.0  99.99   18ms    64ms    20
        bnb        ▲ 1/2     46,120,338   1s /0.8s   388.0  99.99   18ms    64ms     8
        tron       ▲ 1/2     68,310,554     2s /3s    96.0  99.99   18ms    64ms     8
        solana     ● 1/1    331,204,118   1s /0.4s   140.0  99.99   18ms    64ms     4

      ethereum: evm, strategy best
        ENDPOINT      STATE               LEFT   SCORE    OK%    P50     P95  LAG  INFL   REQ/S  SHARE  WGT  PROBES  SINCE
        eth-new       ✖ wrong network            1,000    100      -       -    0     0     0.0     0%   10   1,440     6m
            it says it is on 0xaa36a7, ethereum is 0x1 → correct its URL, or remove it  (6m)
        eth-public    ◐ quarantine 13/20         1,000    100   18ms    64ms    0     0     0.0     0%   10   1,440    14s
            13 of 20 good probes  (14s)
        own-archive   ● healthy                 10,000    100  9.0ms    31ms    0    12   312.0    53%  100   1,440     2h
        alchemy       ● healthy                  5,988   99.8   18ms    64ms    0     4   184.0    31%   60   1,440     2h
        infura        ● healthy                  2,880   96.0   18ms    64ms    1     4    92.0    16%   30   1,440     2h

      bnb: evm, strategy best
        ! no spare left: one usable endpoint
        ENDPOINT      STATE            LEFT   SCORE    OK%    P50     P95  LAG  INFL   REQ/S  SHARE  WGT  PROBES  SINCE
        bnb-quick     ▲ stale                 5,000    100   18ms    64ms   49     4     0.0     0%   50   1,440    42s
            49 blocks behind, the limit is 20 → check whether the node keeps up  (42s)
        bnb-own       ● healthy               5,000    100   18ms    64ms    0     4   388.0   100%   50   1,440     2h

      tron: tron, strategy best
        ! no spare left: one usable endpoint
        ENDPOINT      STATE            LEFT   SCORE    OK%    P50     P95  LAG  INFL   REQ/S  SHARE  WGT  PROBES  SINCE
        tron-grid     ◌ cooling         18s   5,000    100   18ms    64ms    0     4     0.0     0%   50   1,440    12s
            it asked to slow down (429) → if it happens often: set rps or a lower weight  (12s)
        tron-own      ● healthy               5,000    100   18ms    64ms    0     4    96.0   100%   50   1,440     2h

      solana: solana, strategy best
        ENDPOINT      STATE            LEFT   SCORE    OK%    P50     P95  LAG  INFL   REQ/S  SHARE  WGT  PROBES  SINCE
        helius        ● healthy               5,000    100   18ms    64ms    0     4   140.0   100%   50   1,440     2h

      broadcasts whose outcome is unknown
         AGE  CHAIN      TX                                                                    OUTCOME     ENDPOINT    TOOK  DETAIL
          3m  solana     4kPz9s6yQm3xNn1vV5cJt7bWfHq2dRgLrXuE8aTzYpKiMoSjCwBhDnFvGq3xQm3x5uWe  ! UNKNOWN   helius    7500ms  handed over: not sent again; not seen in 3 looks, last 12s ago

      newest events
      14:02:30    ethereum               something happened"
    `);
    expect(text).not.toContain(esc);
  });

  it('is cut to a terminal that only looks', async () => {
    const text = await frameOnce(options, 80);
    for (const row of text.split('\n')) expect([...row].length).toBeLessThanOrEqual(80);
  });

  it('is of one chain when one is named', async () => {
    const text = await frameOnce({ ...options, chain: 'bnb' }, undefined);
    expect(text).toContain('bnb-quick');
    expect(text).not.toContain('own-archive');
  });
});
