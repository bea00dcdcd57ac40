/** What a key does: a view and a key in, the next view out, and now and then a deed for somebody else. */

import { actionAt, type Question, type Wish } from './actions.ts';
import type { Feed } from './feed.ts';
import { clamp, move, nextChain, step, withChain } from './moves.ts';
import { endpointRows, selectedRow, targetRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { sorts } from './sort.ts';
import { keyOf } from './trail.ts';
import { type Pane, panes, type View } from './view.ts';

export type Deed =
  | { readonly is: 'quit'; readonly exit: 0 | 130 }
  /** Ctrl-Z. */
  | { readonly is: 'suspend' }
  | { readonly is: 'interval'; readonly ms: number }
  /** Ask the daemon what it would do. */
  | { readonly is: 'propose'; readonly wish: Wish }
  | { readonly is: 'perform'; readonly question: Question };

export interface Pressed {
  readonly view: View;
  readonly deed?: Deed;
}

/** `up`, `pagedown`, `enter`, `escape`, `shift-tab`, `ctrl-c`; a letter is itself. */
export type Key = string;

const intervals = [200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] as const;

/** `feed` is what a pause keeps. */
export function press(scene: Scene, feed: Feed, key: Key): Pressed {
  const { view } = scene;
  if (key === 'ctrl-c') return { view, deed: { is: 'quit', exit: 130 } };
  if (key === 'ctrl-z') return { view, deed: { is: 'suspend' } };
  switch (view.foot.is) {
    case 'filter':
      return typing(view, key, view.foot.text, /^[^\p{Cc}]$/u, text => ({
        view: { ...view, filter: text.trim(), foot: { is: 'keys' } },
      }));
    case 'weight': {
      const { key: target } = view.foot;
      return typing(view, key, view.foot.text, /^[0-9+%-]$/, text => propose(view, target, text));
    }
    case 'question':
      return key === 'y' || key === 'Y'
        ? {
            view: { ...view, foot: { is: 'running', question: view.foot.question } },
            deed: { is: 'perform', question: view.foot.question },
          }
        : { view: { ...view, foot: { is: 'told', outcome: { good: true, lines: ['nothing was done'] } } } };
    case 'running':
      return { view: key === 'escape' ? { ...view, foot: { is: 'keys' } } : view };
    case 'told':
    case 'keys':
      return command({ ...scene, view: { ...view, foot: { is: 'keys' } } }, feed, key);
  }
}

function typing(
  view: View,
  key: Key,
  text: string,
  allowed: RegExp,
  enter: (text: string) => Pressed,
): Pressed {
  const { foot } = view;
  if (key === 'escape') return { view: { ...view, foot: { is: 'keys' } } };
  if (key === 'enter') return text.trim() === '' && foot.is === 'weight' ? { view } : enter(text);
  const next =
    key === 'backspace'
      ? [...text].slice(0, -1).join('')
      : key === 'ctrl-u'
        ? ''
        : allowed.test(key) && text.length < 200
          ? text + key
          : text;
  if (foot.is === 'filter') return { view: { ...view, foot: { is: 'filter', text: next } } };
  return foot.is === 'weight' ? { view: { ...view, foot: { ...foot, text: next } } } : { view };
}

function propose(view: View, target: string, weight: string): Pressed {
  const [chain = '', name = ''] = target.split('/');
  const wish: Wish = { action: 'weight', chain, name, weight };
  return {
    view: { ...view, foot: { is: 'running', question: { wish, effect: '', notes: [] } } },
    deed: { is: 'propose', wish },
  };
}

function command(scene: Scene, feed: Feed, key: Key): Pressed {
  const { view } = scene;
  const moved = move(scene, key);
  if (moved !== undefined) return { view: moved };
  switch (key) {
    case 'q':
      return { view, deed: { is: 'quit', exit: 0 } };
    case 'escape':
      return { view: back(view) };
    case 'enter':
      return { view: enter(scene) };
    case 'tab':
      return { view: focus(scene, step(panes, view.pane, 1)) };
    case 'shift-tab':
      return { view: focus(scene, step(panes, view.pane, -1)) };
    case '1':
    case '2':
    case '3':
    case '4':
      return { view: focus(scene, panes[Number(key) - 1] ?? 'endpoints') };
    case '?':
    case 'h':
      return { view: { ...view, page: view.page === 'help' ? 'main' : 'help', scroll: 0 } };
    case '/':
      return {
        view: { ...view, page: 'main', pane: 'endpoints', foot: { is: 'filter', text: view.filter } },
      };
    case 's':
      return { view: { ...view, sort: (view.sort + 1) % sorts.length, reverse: false } };
    case 'S':
      return { view: { ...view, reverse: !view.reverse } };
    case 'c':
    case 'C':
      return { view: withChain(view, nextChain(scene, key === 'c' ? 1 : -1)) };
    case 'a':
      return { view: withChain(view, undefined) };
    case 'p':
      return { view: { ...view, paused: view.paused === undefined ? { feed, at: scene.tick } : undefined } };
    case '+':
    case '-': {
      const intervalMs = nextInterval(view.intervalMs, key === '+' ? 1 : -1);
      return { view: { ...view, intervalMs }, deed: { is: 'interval', ms: intervalMs } };
    }
    default:
      return act(scene, key);
  }
}

/** An action concerns the endpoint under the mark as it is shown at this moment. */
function act(scene: Scene, key: Key): Pressed {
  const { view } = scene;
  const action = actionAt(key);
  const target = targetRow(scene)?.endpoint;
  if (action === undefined || target === undefined || (view.page !== 'main' && view.page !== 'endpoint'))
    return { view };
  const held = { ...view, endpoint: keyOf(target) };
  if (action === 'weight') return { view: { ...held, foot: { is: 'weight', key: keyOf(target), text: '' } } };
  const wish: Wish = { action, chain: target.chain, name: target.name };
  return {
    view: { ...held, foot: { is: 'running', question: { wish, effect: '', notes: [] } } },
    deed: { is: 'propose', wish },
  };
}

/** Esc never quits: it takes back one thing at a time. */
function back(view: View): View {
  if (view.page !== 'main') return { ...view, page: 'main', scroll: 0 };
  if (view.filter !== '') return { ...view, filter: '' };
  if (view.paused !== undefined) return { ...view, paused: undefined };
  return view;
}

function enter(scene: Scene): View {
  const { view } = scene;
  if (view.page !== 'main') return view;
  switch (view.pane) {
    case 'chains':
      return { ...view, pane: 'endpoints' };
    case 'endpoints': {
      const row = selectedRow(endpointRows(scene), view.endpoint);
      return row === undefined
        ? view
        : { ...view, page: 'endpoint', endpoint: keyOf(row.endpoint), scroll: 0 };
    }
    case 'broadcasts':
    case 'events':
      return { ...view, page: view.pane };
  }
}

/** A second time on the same number opens it in full. */
function focus({ view }: Scene, pane: Pane): View {
  const again = view.page === 'main' && view.pane === pane && (pane === 'broadcasts' || pane === 'events');
  return { ...view, page: again ? pane : 'main', pane, scroll: 0 };
}

function nextInterval(now: number, by: 1 | -1): number {
  const at = intervals.findIndex(each => each >= now);
  return intervals[clamp((at < 0 ? intervals.length - 1 : at) + by, intervals.length)] ?? now;
}
