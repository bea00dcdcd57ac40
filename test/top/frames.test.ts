import { describe, expect, it } from 'vitest';
import { fakeChain, fakeEndpoint, fakeStatus } from '../kit/fake-status.ts';
import { frame, rowsOf } from './frame.tsx';
import { feedWithUnknown, scene } from './scenes.ts';

describe('the main screen', () => {
  it('has everything at 120 columns', () => {
    expect(frame(scene())).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                                                          every 1s  14:02:31Z
       1,212 req/s     ▁▂▂▃▃▄▅▅▆▆▇▇  ok 99.99%  in flight 40  slowest ethereum p95 64ms               14,400 own probes today
       ! 6 need you: eth-new ✖ wrong network · bnb-quick ▲ stale · tron-grid ◌ cooling 18s · +3
      ── chains [1] ──────────────────────────────────────────────────────────────────────────────────────────────────────────
        CHAIN      USABLE          HEAD        AGE   REQ/S  TREND           OK%    P50     P95  INFL  NOTE
      ▸ ethereum   ▲ 3/5     21,904,112    4s /12s   588.0  ▁▂▂▃▃▄▅▅▆▆▇▇  99.99   18ms    64ms    20  1 wrong network, 1 quar…
        bnb        ▲ 1/2     46,120,338   1s /0.8s   388.0  ▁▂▂▃▃▄▅▅▆▆▇▇  99.99   18ms    64ms     8  no spare left: one usab…
        tron       ▲ 1/2     68,310,554     2s /3s    96.0  ▁▂▂▃▃▄▅▅▆▆▇▇  99.99   18ms    64ms     8  no spare left: one usab…
        solana     ● 1/1    331,204,118   1s /0.4s   140.0  ▁▂▂▃▃▄▅▅▆▆▇▇  99.99   18ms    64ms     4
      ══ endpoints [2] ethereum sorted by state ══════════════════════════════════════════════════════════════════════════════
        ENDPOINT     STATE              LEFT  SCORE   OK%   P50    P95 LATENCY    LAG INFL  REQ/S SHARE WGT PROBES SINCE
      ▸ eth-new      ✖ wrong network          1,000   100     -      -              0    0    0.0    0%  10  1,440    6m
            it says it is on 0xaa36a7, ethereum is 0x1 → correct its URL, or remove it  (6m)
        eth-public   ◐ quarantine 13/20       1,000   100  18ms   64ms ▂▃▃▄▄▅▅▆▆▇   0    0    0.0    0%  10  1,440   14s
            13 of 20 good probes  (14s)
        own-archive  ● healthy               10,000   100 9.0ms   31ms ▂▃▃▄▄▅▅▆▆▇   0   12  312.0   53% 100  1,440    2h
        alchemy      ● healthy                5,988  99.8  18ms   64ms ▂▃▃▄▄▅▅▆▆▇   0    4  184.0   31%  60  1,440    2h
        infura       ● healthy                2,880  96.0  18ms   64ms ▂▃▃▄▄▅▅▆▆▇   1    4   92.0   16%  30  1,440    2h
      ── broadcasts [3] ──────────────────────────────────────────────────────────────────────────────────────────────────────
         AGE  CHAIN      TX               OUTCOME     ENDPOINT       TOOK  DETAIL
          3s  tron       0x9f3a5b…00c41e  accepted    tron-own       52ms
          6s  ethereum   0x9f3a5b…00c41e  accepted    own-archive    11ms
      ── events [4] ──────────────────────────────────────────────────────────────────────────────────────────────────────────
      14:02:30 !! ethereum/eth-new       wrong network: it says it is on 0xaa36a7, ethereum is 0x1
      14:02:29    tron/tron-grid         cooldown: it asked to slow down (429)
      14:02:28 !  bnb/bnb-quick          stale: 49 blocks behind the pool, 20 are allowed
      14:02:27    ethereum/infura        not verified: over





       ? help  q quit  ↑↓ select  Enter details  Tab pane  c chain  / filter  s sort  d drain  e enable  x disable  w weight"
    `);
  });

  it('leaves out what matters least at 80 columns', () => {
    expect(frame(scene({ display: { columns: 80, rows: 24 } }))).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                            14:02:31Z
       1,212 req/s ▃▄▄▅▅▅  ok 99.99%  in flight 40  slowest p95 64ms    14,400 probes
       ! 6 need you: eth-new ✖ wrong network · bnb-quick ▲ stale · +4
      ── chains [1] ──────────────────────────────────────────────────────────────────
        CHAIN     USABLE         HEAD       AGE  REQ/S   OK% NOTE
      ▸ ethereum  ▲ 3/5    21,904,112   4s /12s  588.0 99.99 1 wrong network, 1 quara…
        bnb       ▲ 1/2    46,120,338  1s /0.8s  388.0 99.99 no spare left: one usabl…
        tron      ▲ 1/2    68,310,554    2s /3s   96.0 99.99 no spare left: one usabl…
        solana    ● 1/1   331,204,118  1s /0.4s  140.0 99.99
      ══ endpoints [2] ethereum by state ═════════════════════════════════════════════
        ENDPOINT     STATE              LEFT  SCORE   OK%    P95 LAG  REQ/S SHARE WGT
      ▸ eth-new      ✖ wrong network          1,000   100      -   0    0.0    0%  10
            it says it is on 0xaa36a7, ethereum is 0x1 → correct its URL, or remove i…
        eth-public   ◐ quarantine 13/20       1,000   100   64ms   0    0.0    0%  10
            13 of 20 good probes  (14s)
        own-archive  ● healthy               10,000   100   31ms   0  312.0   53% 100
        alchemy      ● healthy                5,988  99.8   64ms   0  184.0   31%  60
        infura       ● healthy                2,880  96.0   64ms   1   92.0   16%  30
      ── events [4] ──────────────────────────────────────────────────────────────────
      14:02:30 !! eth-new      wrong network: it says it is on 0xaa36a7, ethereum is…
      14:02:29    tron-grid    cooldown: it asked to slow down (429)
      14:02:28 !  bnb-quick    stale: 49 blocks behind the pool, 20 are allowed
      14:02:27    infura       not verified: over
       ? help  q quit  ↑↓ select  Enter details  Tab pane  c chain  / filter  s sort"
    `);
  });

  it('has one line an endpoint under 60 columns', () => {
    expect(frame(scene({ display: { columns: 59, rows: 20 } }))).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d
       ! 6 need you: eth-new ✖ wrong network · +5
       ethereum  3/5 usable
      ▸ eth-new                       ✖ wrong network          -
        eth-public                    ◐ quarantine 13/20    64ms
        own-archive                   ● healthy             31ms
        alchemy                       ● healthy             64ms
        infura                        ● healthy             64ms











       ? help  q quit  ↑↓ select  Enter details  Tab pane"
    `);
  });

  it('asks for a larger window under 40x10', () => {
    expect(frame(scene({ display: { columns: 39, rows: 24 } }))).toMatchInlineSnapshot(`
      "window too small,
      80x24 is good
      q quits"
    `);
    expect(frame(scene({ display: { columns: 120, rows: 9 } }))).toContain('80x24 is good');
  });

  it('keeps its columns in plain letters', () => {
    const ascii = frame(scene({ display: { ascii: true } }));
    expect(ascii).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                                                          every 1s  14:02:31Z
       1,212 req/s     .::--=++**##  ok 99.99%  in flight 40  slowest ethereum p95 64ms               14,400 own probes today
       ! 6 need you: eth-new X wrong network . bnb-quick ^ stale . tron-grid o cooling 18s . +3
      -- chains [1] ----------------------------------------------------------------------------------------------------------
        CHAIN      USABLE          HEAD        AGE   REQ/S  TREND           OK%    P50     P95  INFL  NOTE
      > ethereum   ^ 3/5     21,904,112    4s /12s   588.0  .::--=++**##  99.99   18ms    64ms    20  1 wrong network, 1 quar~
        bnb        ^ 1/2     46,120,338   1s /0.8s   388.0  .::--=++**##  99.99   18ms    64ms     8  no spare left: one usab~
        tron       ^ 1/2     68,310,554     2s /3s    96.0  .::--=++**##  99.99   18ms    64ms     8  no spare left: one usab~
        solana     * 1/1    331,204,118   1s /0.4s   140.0  .::--=++**##  99.99   18ms    64ms     4
      == endpoints [2] ethereum sorted by state ==============================================================================
        ENDPOINT     STATE              LEFT  SCORE   OK%   P50    P95 LATENCY    LAG INFL  REQ/S SHARE WGT PROBES SINCE
      > eth-new      X wrong network          1,000   100     -      -              0    0    0.0    0%  10  1,440    6m
            it says it is on 0xaa36a7, ethereum is 0x1 > correct its URL, or remove it  (6m)
        eth-public   % quarantine 13/20       1,000   100  18ms   64ms :--==++**#   0    0    0.0    0%  10  1,440   14s
            13 of 20 good probes  (14s)
        own-archive  * healthy               10,000   100 9.0ms   31ms :--==++**#   0   12  312.0   53% 100  1,440    2h
        alchemy      * healthy                5,988  99.8  18ms   64ms :--==++**#   0    4  184.0   31%  60  1,440    2h
        infura       * healthy                2,880  96.0  18ms   64ms :--==++**#   1    4   92.0   16%  30  1,440    2h
      -- broadcasts [3] ------------------------------------------------------------------------------------------------------
         AGE  CHAIN      TX               OUTCOME     ENDPOINT       TOOK  DETAIL
          3s  tron       0x9f3a5b~00c41e  accepted    tron-own       52ms
          6s  ethereum   0x9f3a5b~00c41e  accepted    own-archive    11ms
      -- events [4] ----------------------------------------------------------------------------------------------------------
      14:02:30 !! ethereum/eth-new       wrong network: it says it is on 0xaa36a7, ethereum is 0x1
      14:02:29    tron/tron-grid         cooldown: it asked to slow down (429)
      14:02:28 !  bnb/bnb-quick          stale: 49 blocks behind the pool, 20 are allowed
      14:02:27    ethereum/infura        not verified: over





       ? help  q quit  ^v select  Enter details  Tab pane  c chain  / filter  s sort  d drain  e enable  x disable  w weight"
    `);
    expect(ascii).toMatch(/^[\x20-\x7e\n]*$/);
    const width = (text: string): readonly number[] => rowsOf(text).map(row => [...row].length);
    expect(width(ascii)).toEqual(width(frame(scene())));
  });

  it('gives all chains together when none is chosen', () => {
    const text = frame(scene({ view: { chain: undefined } }));
    expect(text).toContain('endpoints [2] all chains');
    expect(text).toContain('bnb/bnb-quick');
    expect(text).toContain('solana/helius');
  });
});

describe('a broadcast whose outcome is unknown', () => {
  it('stands on the main screen in three places', () => {
    const text = frame(scene({ feed: feedWithUnknown, display: { columns: 80, rows: 24 } }));
    expect(text).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                            14:02:31Z
       1,212 req/s ▃▄▄▅▅▅  ok 99.99%  in flight 40  slowest p95 64ms    14,400 probes
       ! 6 need you: eth-new ✖ wrong network · +5           ! 1 BROADCAST UNKNOWN [3]
      ── chains [1] ──────────────────────────────────────────────────────────────────
        CHAIN     USABLE         HEAD       AGE  REQ/S   OK% NOTE
      ▸ ethereum  ▲ 3/5    21,904,112   4s /12s  588.0 99.99 1 wrong network, 1 quara…
        bnb       ▲ 1/2    46,120,338  1s /0.8s  388.0 99.99 no spare left: one usabl…
        tron      ▲ 1/2    68,310,554    2s /3s   96.0 99.99 no spare left: one usabl…
        solana    ● 1/1   331,204,118  1s /0.4s  140.0 99.99 ! 1 unknown broadcast
      ══ endpoints [2] ethereum by state ═════════════════════════════════════════════
        ENDPOINT     STATE              LEFT  SCORE   OK%    P95 LAG  REQ/S SHARE WGT
      ▸ eth-new      ✖ wrong network          1,000   100      -   0    0.0    0%  10
            it says it is on 0xaa36a7, ethereum is 0x1 → correct its URL, or remove i…
        eth-public   ◐ quarantine 13/20       1,000   100   64ms   0    0.0    0%  10
            13 of 20 good probes  (14s)
        own-archive  ● healthy               10,000   100   31ms   0  312.0   53% 100
        alchemy      ● healthy                5,988  99.8   64ms   0  184.0   31%  60
        infura       ● healthy                2,880  96.0   64ms   1   92.0   16%  30
      ── broadcasts [3]  1 UNKNOWN: do not sign again, Enter says more  ──────────────
         AGE CHAIN     TX              OUTCOME    ENDPOINT      TOOK DETAIL
          3m solana    4kPz9s6y…3x5uWe ! UNKNOWN  helius      7500ms handed over: not…
      ── events [4] ──────────────────────────────────────────────────────────────────
      14:02:30 !! eth-new      wrong network: it says it is on 0xaa36a7, ethereum is…
       ? help  q quit  ↑↓ select  Enter details  Tab pane  c chain  / filter  s sort"
    `);
  });

  it.each(['endpoint', 'help', 'events', 'broadcasts'] as const)('is said on the page %s too', page => {
    const view = { page, endpoint: 'ethereum/alchemy' };
    expect(frame(scene({ feed: feedWithUnknown, view }))).toContain('1 BROADCAST UNKNOWN');
  });

  it('is said in a window that has room for little', () => {
    for (const rows of [10, 12, 16])
      for (const columns of [40, 59, 60, 80])
        expect(frame(scene({ feed: feedWithUnknown, display: { columns, rows } }))).toContain(
          '1 BROADCAST UNKNOWN',
        );
  });

  it('has a page that tells what to do, with its whole id', () => {
    const view = { page: 'broadcasts' } as const;
    expect(
      frame(scene({ feed: feedWithUnknown, view, display: { columns: 80, rows: 24 } })),
    ).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                            14:02:31Z
       1,212 req/s ▃▄▄▅▅▅  ok 99.99%  in flight 40  slowest p95 64ms    14,400 probes
       ! 6 need you: eth-new ✖ wrong network · +5           ! 1 BROADCAST UNKNOWN [3]
      ══ broadcasts [3] Esc goes back ════════════════════════════════════════════════
       ! 1 UNKNOWN: handed over, and nobody knows yet whether the network has it.
       ! Do not sign a replacement. Each is looked up by its id until it is settled.

        ! solana, unknown
          4kPz9s6yQm3xNn1vV5cJt7bWfHq2dRgLrXuE8aTzYpKiMoSjCwBhDnFvGq3xQm3x5uWe
          sent 3m ago (2026-03-04T13:59:31.000Z) by helius, sendTransaction
          handed over: not sent again; not seen in 3 looks, last 12s ago
          rpcgw broadcasts show 60   tells all that is known
          rpcgw broadcasts settle 60 --note "…"   when you have found out yourself

         AGE CHAIN     TX              OUTCOME    ENDPOINT      TOOK DETAIL
          3s tron      0x9f3a5b…00c41e accepted   tron-own      52ms
          6s ethereum  0x9f3a5b…00c41e accepted   own-archive   11ms






       Esc back  ↑↓ scroll  q quit"
    `);
  });
});

describe('what needs somebody', () => {
  const third = (part: Parameters<typeof scene>[0]): string => rowsOf(frame(scene(part)))[2] ?? '';

  it('is told in one quiet line when there is nothing', () => {
    const status = fakeStatus([
      fakeChain({
        name: 'xrpl',
        notes: ['one client software'],
        endpoints: [fakeEndpoint({ name: 'a', chain: 'xrpl' })],
      }),
    ]);
    expect(third({ feed: { status } })).toBe(' 1 endpoint of 1 chain, all fine');
    // Advice is told where there is room, but nobody is called for it.
    expect(frame(scene({ feed: { status } }))).toContain('one client software');
  });

  it('begins with what may cost money: a store that cannot be written', () => {
    const { status } = scene();
    const store = { ok: false, reason: 'the disk is full', since: null };
    expect(third({ feed: { status: { ...status, store } } })).toMatch(
      /^ ! 7 need you: store not writable \(the disk is full\): broadcasts refused/,
    );
  });

  it('leaves out what an operator wanted so', () => {
    const endpoints = (['draining', 'disabled'] as const).map(state =>
      fakeEndpoint({ name: state, chain: 'bnb', state }),
    );
    const status = fakeStatus([fakeChain({ name: 'bnb', usable: 3, endpoints })]);
    expect(third({ feed: { status } })).toBe(' 2 endpoints of 1 chain, all fine');
  });
});

describe('the page of an endpoint', () => {
  it('tells score, gates, facts, answers and events', () => {
    const view = { page: 'endpoint', endpoint: 'ethereum/eth-new' } as const;
    expect(frame(scene({ view, display: { rows: 40 } }))).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                                                          every 1s  14:02:31Z
       1,212 req/s     ▁▂▂▃▃▄▅▅▆▆▇▇  ok 99.99%  in flight 40  slowest ethereum p95 64ms               14,400 own probes today
       ! 6 need you: eth-new ✖ wrong network · bnb-quick ▲ stale · tron-grid ◌ cooling 18s · +3
      ══ ethereum/eth-new Esc goes back ══════════════════════════════════════════════════════════════════════════════════════
       ✖ wrong network for 6m   https://eth-new.example
         it says it is on 0xaa36a7, ethereum is 0x1
         → correct its URL, or remove it

       score = (100 × success − latency) × weight
        CLASS      100 × SUCCESS      − LATENCY  × WEIGHT  = SCORE  OWN AVERAGE  POOL MEDIAN
        read               100.0  0.0 (unknown)        10    1,000            -         20ms
        heavy              100.0  0.0 (unknown)        10    1,000            -         20ms
        broadcast          100.0  0.0 (unknown)        10    1,000            -         20ms

       held by
        ✖ wrong network (hard: never bypassed) for 6m
            it says it is on 0xaa36a7, ethereum is 0x1
            → correct its URL, or remove it

       facts
        head       21,904,112, lag 0                                history    full
        latency    p50 -  p95 -  p99 -                              client     Geth/v1.16.4
        traffic    0.0 req/s, share 0%, 0 in flight                 roles      read, broadcast, history
        requests   0 since the start                                broadcasts allow
        it costs   1,440 own probes today                           labels     provider=own region=eu
        weight     10                                               origin     added at runtime

       answers
        no request was sent to it yet

       events
        14:02:30 !! ethereum/eth-new       wrong network: it says it is on 0xaa36a7, ethereum is 0x1







       Esc back  ? help  ←→ other endpoint  ↑↓ scroll  d drain  e enable  x disable  w weight  t test  q quit"
    `);
  });

  it('is scrolled where the window is lower than it', () => {
    const view = { page: 'endpoint', endpoint: 'ethereum/alchemy', scroll: 100 } as const;
    expect(frame(scene({ view, display: { columns: 80, rows: 24 } }))).toMatchInlineSnapshot(`
      " rpcgw 0.1.0  READY  127.0.0.1:8600  up 6d                            14:02:31Z
       1,212 req/s ▃▄▄▅▅▅  ok 99.99%  in flight 40  slowest p95 64ms    14,400 probes
       ! 6 need you: eth-new ✖ wrong network · bnb-quick ▲ stale · +4
      ══ ethereum/alchemy Esc goes back 14-32 of 32 ══════════════════════════════════
        latency    p50 18ms  p95 64ms  p99 120ms
        traffic    184.0 req/s, share 31%, 4 in flight
        requests   360,000 since the start
        it costs   1,440 own probes today
        weight     60
        history    full
        client     Geth/v1.16.4
        roles      read, broadcast, history
        broadcasts allow
        labels     provider=own region=eu
        origin     the config file

       answers
        ok                   359,000   99.72%  ████████████████████
        app_error                990    0.27%
        node_failure              10    0.00%

       events
        none lately
       Esc back  ? help  ←→ other endpoint  ↑↓ scroll  d drain  e enable  x disable"
    `);
  });

  it('says that an endpoint is gone', () => {
    const view = { page: 'endpoint', endpoint: 'ethereum/removed' } as const;
    expect(frame(scene({ view }))).toContain('it is not in the pool any more');
  });
});

describe('what is asked', () => {
  const question = {
    wish: { action: 'drain', chain: 'ethereum', name: 'alchemy' },
    effect: 'drain ethereum/alchemy: no new traffic, 4 in flight',
    notes: ['ethereum has no spare then'],
  } as const;

  it('names the effect and the same as a command', () => {
    const text = frame(scene({ view: { foot: { is: 'question', question } } }));
    expect(rowsOf(text).slice(-3).join('\n')).toMatchInlineSnapshot(`
      " ! drain ethereum/alchemy: no new traffic, 4 in flight?  [y/N]
         ethereum has no spare then
         the same as  rpcgw endpoint drain ethereum alchemy"
    `);
  });

  it.each([
    [40, 10],
    [60, 10],
  ])('is there whole in a window of %i by %i, with what it warns of', (columns, rows) => {
    const text = frame(
      scene({
        feed: feedWithUnknown,
        view: { foot: { is: 'question', question } },
        display: { columns, rows, colour: false },
      }),
    );
    expect(rowsOf(text)).toHaveLength(rows);
    // The chosen endpoint stands in the list.
    expect(text).toContain('▸ eth-new');
    for (const part of ['rpcgw 0.1.0', '[y/N]', 'ethereum has no spare then', 'the same as'])
      expect(text).toContain(part);
  });

  it('leaves the endpoint in sight, however much there is to say', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const text = frame(scene({ view: { foot: { is: 'told', outcome: { good: false, lines } } } }));
    expect(text).toContain('eth-new');
    expect(rowsOf(text)).toHaveLength(33);
  });
});

describe('the stamp', () => {
  const stamp = (part: Parameters<typeof scene>[0]): string =>
    rowsOf(frame(scene(part)))[0]
      ?.slice(-60)
      .trim() ?? '';

  it.each([
    ['the time of the daemon', {}, 'every 1s  14:02:31Z'],
    [
      'how long the daemon is lost',
      { feed: { link: { is: 'lost', since: 1_000, why: 'nobody listens' } } },
      'lost for 4s, reconnecting',
    ],
    ['that the daemon stands still', { tick: 12_000 }, 'silent for 7s'],
    [
      'that the daemon is another one',
      { feed: { link: { is: 'live', back: { at: 4_000, afterMs: 3_100, restarted: true } } } },
      'daemon restarted, back after 3s  every 1s  14:02:31Z',
    ],
    [
      'that the daemon is back',
      { feed: { link: { is: 'live', back: { at: 4_000, afterMs: 3_100, restarted: false } } } },
      'back after 3s  every 1s  14:02:31Z',
    ],
  ] as const)('says %s', (_, part, said) => {
    expect(stamp(part)).toMatch(new RegExp(`${said}$`));
  });

  it('leaves nothing in place of the state that an absent daemon last told', () => {
    const first = (part: Parameters<typeof scene>[0]): string => rowsOf(frame(scene(part)))[0] ?? '';
    expect(first({})).toContain('READY');
    for (const columns of [120, 50]) {
      const lost = { feed: { link: { is: 'lost', since: 1_000, why: '' } }, display: { columns } } as const;
      expect(first(lost)).toMatch(/NO ANSWER.*lost for 4s/);
      expect(first({ tick: 60_000, display: { columns } })).toContain('NO ANSWER');
    }
  });

  it('says how long the screen stands still, and that the daemon is lost meanwhile', () => {
    const { status, trail, events, broadcasts, problem, link, seenAt } = scene();
    const paused = { feed: { status, trail, events, broadcasts, problem, link, seenAt }, at: 4_000 };
    expect(stamp({ view: { paused } })).toMatch(/PAUSED for 1s$/);
    expect(stamp({ view: { paused }, feed: { link: { is: 'lost', since: 3_000, why: '' } } })).toMatch(
      /lost for 2s, reconnecting$/,
    );
  });
});
