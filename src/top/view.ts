/** What the person at the keyboard has chosen: all of a screen that does not come from the daemon. */

import type { Outcome, Question } from './actions.ts';
import type { Feed } from './feed.ts';

export const panes = ['chains', 'endpoints', 'broadcasts', 'events'] as const;
export type Pane = (typeof panes)[number];

export type Page = 'main' | 'endpoint' | 'broadcasts' | 'events' | 'help';

/** The last rows of the screen: what can be pressed, or what is being asked or told. */
export type Foot =
  | { readonly is: 'keys' }
  | { readonly is: 'filter'; readonly text: string }
  | { readonly is: 'weight'; readonly key: string; readonly text: string }
  | { readonly is: 'question'; readonly question: Question }
  | { readonly is: 'running'; readonly question: Question }
  | { readonly is: 'told'; readonly outcome: Outcome };

export interface View {
  readonly page: Page;
  readonly pane: Pane;
  /** Undefined: all chains. */
  readonly chain: string | undefined;
  /** `chain/endpoint`. */
  readonly endpoint: string | undefined;
  /** Rows from the newest broadcast or event; rows from the top of a page of text. */
  readonly scroll: number;
  readonly filter: string;
  /** Which of `sorts`. */
  readonly sort: number;
  readonly reverse: boolean;
  /** What is shown while it stands still, and since when on the clock of `Timers`. */
  readonly paused: { readonly feed: Feed; readonly at: number } | undefined;
  readonly intervalMs: number;
  readonly foot: Foot;
}

export function firstView(chain: string | undefined, intervalMs: number): View {
  return {
    page: 'main',
    pane: 'endpoints',
    chain,
    endpoint: undefined,
    scroll: 0,
    filter: '',
    sort: 0,
    reverse: false,
    paused: undefined,
    intervalMs,
    foot: { is: 'keys' },
  };
}
