import type { Feed } from './feed.ts';
import type { View } from './view.ts';

/** The terminal. */
export interface Display {
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  readonly ascii: boolean;
  /** Old values are shown as old. */
  readonly dimmed?: boolean;
}

/** All that a frame is made of: the same scene gives the same frame. */
export interface Scene extends Feed {
  readonly view: View;
  readonly display: Display;
  /** The daemon's clock, ms: ages and countdowns are told by it. Stands still in a pause. */
  readonly now: number;
  /** The clock of `Timers`, ms: how long the daemon is silent, how long the pause lasts. */
  readonly tick: number;
}

/** `tick`: now, on the clock of `Timers`. */
export function sceneOf(feed: Feed, view: View, display: Display, tick: number): Scene {
  const { paused } = view;
  const shown = paused?.feed ?? feed;
  const at = paused?.at ?? tick;
  return {
    ...shown,
    // However old what is shown may be: how it stands with the daemon is told as it is.
    link: feed.link,
    seenAt: feed.seenAt,
    view,
    display,
    now: Date.parse(shown.status.now) + at - shown.seenAt,
    tick,
  };
}
