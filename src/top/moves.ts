/** Where a key of movement leads: along rows, through chains, up and down a page. */

import { footRows } from './foot-lines.ts';
import type { Key } from './keys.ts';
import { textRows } from './layout.ts';
import { textPage } from './pages.ts';
import { endpointRows, selectedRow } from './rows.ts';
import type { Scene } from './scene.ts';
import { keyOf } from './trail.ts';
import type { View } from './view.ts';

/** What a key of movement leads to; undefined: it is none. */
export function move(scene: Scene, key: Key): View | undefined {
  const by = steps(scene, key);
  if (by === undefined) return undefined;
  const { view } = scene;
  if (view.page === 'endpoint' && (key === 'left' || key === 'right')) return otherEndpoint(scene, by);
  if (key === 'left' || key === 'right') return view;
  if (view.page !== 'main' || view.pane === 'broadcasts' || view.pane === 'events')
    return { ...view, scroll: Math.max(0, Math.min(mostScroll(scene), view.scroll + by)) };
  return view.pane === 'chains' ? withChain(view, chainAt(scene, by)) : otherEndpoint(scene, by);
}

function steps({ display }: Scene, key: Key): number | undefined {
  const page = Math.max(1, Math.floor(display.rows / 3));
  const by: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    left: -1,
    down: 1,
    j: 1,
    right: 1,
    pageup: -page,
    pagedown: page,
    g: -Infinity,
    home: -Infinity,
    G: Infinity,
    end: Infinity,
  };
  return by[key];
}

/** Lists end at their last row, pages of text where their end is in sight. */
function mostScroll(scene: Scene): number {
  const { view, events, broadcasts, display } = scene;
  const page = textPage(scene);
  if (page !== undefined) return Math.max(0, page.lines.length - textRows(display.rows, footRows(scene)));
  return Math.max(0, (view.pane === 'broadcasts' && view.page === 'main' ? broadcasts : events).length - 1);
}

function otherEndpoint(scene: Scene, by: number): View {
  const { view } = scene;
  const rows = endpointRows(scene);
  const selected = selectedRow(rows, view.endpoint);
  if (selected === undefined) return view;
  const row = rows[clamp(rows.indexOf(selected) + by, rows.length)];
  return row === undefined ? view : { ...view, endpoint: keyOf(row.endpoint), scroll: 0 };
}

function chainAt({ status, view }: Scene, by: number): string | undefined {
  const names = status.chains.map(chain => chain.name);
  const at = view.chain === undefined ? (by > 0 ? -1 : names.length) : names.indexOf(view.chain);
  return names[clamp(at + by, names.length)];
}

/** Round through the chains, and once a round through all of them together. */
export function nextChain({ status, view }: Scene, by: 1 | -1): string | undefined {
  return step([undefined, ...status.chains.map(chain => chain.name)], view.chain, by);
}

export function withChain(view: View, chain: string | undefined): View {
  return chain === view.chain ? view : { ...view, chain, endpoint: undefined, page: 'main', scroll: 0 };
}

export function clamp(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}

export function step<T>(all: readonly T[], now: T, by: 1 | -1): T {
  // Of a list that is not empty, and a place within it.
  return all[(all.indexOf(now) + by + all.length) % all.length] as T;
}
