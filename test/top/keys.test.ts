import { describe, expect, it } from 'vitest';
import { type Key, type Pressed, press } from '../../src/top/keys.ts';
import { sorts } from '../../src/top/sort.ts';
import type { View } from '../../src/top/view.ts';
import { feed, view as first, scene } from './scenes.ts';

/** One key after the other; the last deed. */
function pressed(keys: readonly Key[], from: Partial<View> = {}): Pressed {
  return keys.reduce<Pressed>((now, key) => press(scene({ view: now.view }), feed, key), {
    view: { ...first, ...from },
  });
}

const viewAfter = (keys: readonly Key[], from?: Partial<View>): View => pressed(keys, from).view;

describe('moving', () => {
  it.each([
    ['down', 'ethereum/eth-public'],
    ['j', 'ethereum/eth-public'],
    ['G', 'ethereum/infura'],
    ['pagedown', 'ethereum/infura'],
    ['up', 'ethereum/eth-new'],
  ])('%s marks %s', (key, endpoint) => {
    expect(viewAfter([key]).endpoint).toBe(endpoint);
  });

  it('keeps the mark on its endpoint while rows change their places', () => {
    const marked = viewAfter(['down', 'down']);
    expect(marked.endpoint).toBe('ethereum/own-archive');
    expect(viewAfter(['S'], marked).endpoint).toBe('ethereum/own-archive');
    expect(viewAfter(['s', 's', 'down'], marked).endpoint).not.toBe('ethereum/own-archive');
  });

  it('takes a chain by its row, and round through all of them', () => {
    expect(viewAfter(['1', 'down']).chain).toBe('bnb');
    expect(viewAfter(['1', 'G']).chain).toBe('solana');
    expect(viewAfter(['c', 'c', 'c']).chain).toBe('solana');
    expect(viewAfter(['c', 'c', 'c', 'c']).chain).toBeUndefined();
    expect(viewAfter(['c', 'c', 'c', 'c', 'c']).chain).toBe('ethereum');
    expect(viewAfter(['C']).chain).toBeUndefined();
    expect(viewAfter(['a']).chain).toBeUndefined();
    expect(viewAfter(['a', '1', 'down']).chain).toBe('ethereum');
  });

  it('goes from pane to pane', () => {
    expect(['tab', 'shift-tab', '1', '4'].map(key => viewAfter([key]).pane)).toEqual([
      'broadcasts',
      'chains',
      'chains',
      'events',
    ]);
    expect(viewAfter(['3', '3']).page).toBe('broadcasts');
    expect(viewAfter(['4', 'enter']).page).toBe('events');
    expect(viewAfter(['1', 'enter']).pane).toBe('endpoints');
  });

  it('scrolls a page of text no further than its end', () => {
    const end = viewAfter(['?', ...Array<string>(40).fill('pagedown')]);
    expect(end.scroll).toBeLessThan(20);
    expect(viewAfter(['up'], end).scroll).toBe(Math.max(0, end.scroll - 1));
    expect(viewAfter(['4', 'G']).scroll).toBe(feed.events.length - 1);
    expect(viewAfter(['3', 'G']).scroll).toBe(feed.broadcasts.length - 1);
  });

  it('goes from endpoint to endpoint on the page of one', () => {
    const page = viewAfter(['enter', 'right']);
    expect([page.page, page.endpoint]).toEqual(['endpoint', 'ethereum/eth-public']);
    expect(viewAfter(['left', 'left'], page).endpoint).toBe('ethereum/eth-new');
  });
});

describe('Esc', () => {
  it('takes back one thing at a time and never quits', () => {
    const paused = { feed, at: 0 };
    const from: Partial<View> = { page: 'endpoint', endpoint: 'ethereum/alchemy', filter: 'al', paused };
    expect(viewAfter(['escape'], from)).toMatchObject({ page: 'main', filter: 'al', paused });
    expect(viewAfter(['escape', 'escape'], from)).toMatchObject({ filter: '', paused });
    const last = pressed(['escape', 'escape', 'escape'], from);
    expect(last.view.paused).toBeUndefined();
    expect(pressed(['escape'], last.view)).toEqual({ view: last.view });
  });
});

describe('filter, sort, pause, interval', () => {
  it('is typed with / and taken with Enter', () => {
    const typed = ['/', ...'state:stalex', 'backspace', 'enter'];
    expect(viewAfter(typed)).toMatchObject({ filter: 'state:stale', foot: { is: 'keys' } });
    expect(viewAfter(['/', ...'abc', 'escape'], { filter: 'old' })).toMatchObject({
      filter: 'old',
      foot: { is: 'keys' },
    });
    expect(viewAfter(['/', 'ctrl-u', 'enter'], { filter: 'old' }).filter).toBe('');
  });

  it('takes letters for letters while it is typed', () => {
    expect(pressed(['/', 'q', 'd', 'y', '?'])).toMatchObject({
      view: { foot: { is: 'filter', text: 'qdy?' } },
    });
    expect(pressed(['/', 'q']).deed).toBeUndefined();
    expect(pressed(['/', 'ctrl-c']).deed).toEqual({ is: 'quit', exit: 130 });
  });

  it('walks through every order and comes back to the first', () => {
    expect(viewAfter(Array<string>(sorts.length).fill('s')).sort).toBe(0);
    expect(viewAfter(['S'])).toMatchObject({ sort: 0, reverse: true });
    expect(viewAfter(['S', 's'])).toMatchObject({ sort: 1, reverse: false });
  });

  it('holds what is shown, and lets go', () => {
    const paused = viewAfter(['p']);
    expect(paused.paused).toEqual({ feed, at: 5_000 });
    expect(viewAfter(['p'], paused).paused).toBeUndefined();
  });

  it('asks for more and fewer values a second', () => {
    expect(pressed(['+'])).toMatchObject({
      view: { intervalMs: 2_000 },
      deed: { is: 'interval', ms: 2_000 },
    });
    expect(pressed(['-', '-', '-', '-']).deed).toEqual({ is: 'interval', ms: 200 });
    expect(pressed(Array<string>(20).fill('+')).deed).toEqual({ is: 'interval', ms: 60_000 });
  });
});

describe('actions', () => {
  it.each([
    ['d', 'drain'],
    ['e', 'enable'],
    ['x', 'disable'],
    ['t', 'test'],
  ])('%s asks what it would do to the marked endpoint, and does nothing', (key, action) => {
    const { view, deed } = pressed(['down', key]);
    expect(deed).toEqual({ is: 'propose', wish: { action, chain: 'ethereum', name: 'eth-public' } });
    expect(view.foot.is).toBe('running');
    expect(view.endpoint).toBe('ethereum/eth-public');
  });

  it('takes a weight as it is typed', () => {
    expect(pressed(['w', ...'+10', 'enter']).deed).toEqual({
      is: 'propose',
      wish: { action: 'weight', chain: 'ethereum', name: 'eth-new', weight: '+10' },
    });
    expect(pressed(['w', 'a', 'b', ' ', '5', '0', '%', 'enter']).deed).toMatchObject({
      wish: { weight: '50%' },
    });
    expect(pressed(['w', 'enter'])).toMatchObject({ view: { foot: { is: 'weight', text: '' } } });
    expect(viewAfter(['w', '1', 'escape']).foot).toEqual({ is: 'keys' });
  });

  it('speaks of the endpoint of the page, whatever the filter says by now', () => {
    const page: Partial<View> = { page: 'endpoint', endpoint: 'ethereum/alchemy', filter: 'state:stale' };
    expect(pressed(['d'], page).deed).toMatchObject({ wish: { name: 'alchemy' } });
    expect(pressed(['d'], { ...page, endpoint: 'ethereum/removed' }).deed).toBeUndefined();
  });

  it.each(['help', 'events', 'broadcasts'] as const)(
    'does nothing on the page %s, where no endpoint is marked',
    page => {
      expect(pressed(['d'], { page }).deed).toBeUndefined();
    },
  );

  const question = {
    wish: { action: 'drain', chain: 'ethereum', name: 'alchemy' },
    effect: 'drain',
    notes: [],
  } as const;
  const asked: Partial<View> = { foot: { is: 'question', question } };

  it.each(['y', 'Y'])('is done on %s', key => {
    expect(pressed([key], asked)).toMatchObject({
      view: { foot: { is: 'running' } },
      deed: { is: 'perform', question },
    });
  });

  it.each(['n', 'enter', 'escape', ' ', 'q', 'd', 'j', 'tab'])('is not done on %s', key => {
    const { view, deed } = pressed([key], asked);
    expect(deed).toBeUndefined();
    expect(view.foot.is).toBe('told');
  });

  it('hears nothing but Esc while the daemon is asked', () => {
    const running: Partial<View> = { foot: { is: 'running', question } };
    expect(viewAfter(['d', 'y', 'q', 'j'], running)).toEqual({ ...first, ...running });
    expect(viewAfter(['escape'], running).foot).toEqual({ is: 'keys' });
  });
});

describe('leaving', () => {
  it.each([
    ['q', { is: 'quit', exit: 0 }],
    ['ctrl-c', { is: 'quit', exit: 130 }],
    ['ctrl-z', { is: 'suspend' }],
  ])('%s', (key, deed) => {
    expect(pressed([key]).deed).toEqual(deed);
  });
});
