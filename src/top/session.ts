/** One sitting at the dashboard: what the daemon tells and what is pressed come together here. */

import type { ApiClient } from '../api/client.ts';
import type { Status } from '../api/contract.ts';
import { OperatorError } from '../core/errors.ts';
import { actions, type Question, type Wish } from './actions.ts';
import { type Timers, watchDaemon } from './feed.ts';
import { type Deed, type Key, press } from './keys.ts';
import { type Display, type Scene, sceneOf } from './scene.ts';
import type { Foot, View } from './view.ts';

export interface Session {
  /** The frame's scene at this moment. */
  scene(display: Display): Scene;
  /** A number that is another after each change. */
  revision(): number;
  subscribe(changed: () => void): () => void;
  /** What is left to the terminal is handed back. */
  press(key: Key, display: Display): Extract<Deed, { is: 'quit' | 'suspend' }> | undefined;
  end(): void;
}

/** When nothing comes, ages and countdowns go on all the same. */
const tickMs = 1_000;
const patienceMs = 200;

export function startSession(
  api: ApiClient,
  timers: Timers,
  first: Status,
  firstView: View,
  who: string,
): Session {
  const listeners = new Set<() => void>();
  let view = firstView;
  let revision = 0;
  let cancel: () => void = () => undefined;
  const feed = watchDaemon(api, timers, first, view.intervalMs, () => changed(tickMs + patienceMs));
  changed(tickMs + patienceMs);

  function changed(nextTickMs: number): void {
    revision += 1;
    cancel();
    cancel = timers.after(nextTickMs, () => changed(tickMs));
    for (const listener of listeners) listener();
  }

  function show(foot: Foot): void {
    view = { ...view, foot };
    changed(tickMs + patienceMs);
  }

  function tell(good: boolean, lines: readonly string[]): void {
    show({ is: 'told', good, lines });
  }

  /** The daemon itself says what would happen: rules are in one place, and this is not the place. */
  async function propose(wish: Wish): Promise<void> {
    const asked = view.foot;
    try {
      const { already, text, notes } = await actions[wish.action].ask(api, wish, true, who);
      // Left with Esc meanwhile.
      if (view.foot !== asked) return;
      if (already) tell(true, [text]);
      else show({ is: 'question', question: { wish, effect: text.replace(/^would /, ''), notes } });
    } catch (error) {
      if (view.foot === asked) tell(false, inWords(error));
    }
  }

  async function perform({ wish }: Question): Promise<void> {
    const action = actions[wish.action];
    try {
      const { text, notes } = await action.ask(api, wish, false, who);
      tell(true, [text, ...notes, action.command(wish)]);
    } catch (error) {
      tell(false, inWords(error));
    }
  }

  return {
    scene: display => sceneOf(feed.read(), view, display, timers.now()),
    revision: () => revision,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    press(key, display) {
      const now = feed.read();
      const pressed = press(sceneOf(now, view, display, timers.now()), now, key);
      view = pressed.view;
      changed(tickMs + patienceMs);
      const { deed } = pressed;
      switch (deed?.is) {
        case 'interval':
          feed.every(deed.ms);
          return undefined;
        case 'propose':
          void propose(deed.wish);
          return undefined;
        case 'perform':
          void perform(deed.question);
          return undefined;
        default:
          return deed;
      }
    },
    end() {
      cancel();
      feed.stop();
    },
  };
}

function inWords(error: unknown): readonly string[] {
  if (!(error instanceof OperatorError)) return [String(error)];
  return [error.message, ...error.why, ...error.next.map(next => `→ ${next}`)];
}
