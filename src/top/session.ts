/** One sitting at the dashboard: what the daemon tells and what is pressed come together here. */

import type { ApiClient } from '../api/client.ts';
import type { Status } from '../api/contract.ts';
import { OperatorError } from '../core/errors.ts';
import { actions, type Outcome, type Question, type Wish } from './actions.ts';
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

  async function propose(wish: Wish): Promise<void> {
    const asked = view.foot;
    const found = await actions[wish.action].propose(api, wish, who).catch(failed);
    // Left with Esc meanwhile.
    if (view.foot !== asked) return;
    show('effect' in found ? { is: 'question', question: found } : { is: 'told', outcome: found });
  }

  async function perform({ wish }: Question): Promise<void> {
    const { perform: act, command } = actions[wish.action];
    const { good, lines } = await act(api, wish, who).catch(failed);
    show({ is: 'told', outcome: { good, lines: [...lines, command(wish)] } });
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

function failed(error: unknown): Outcome {
  if (!(error instanceof OperatorError)) return { good: false, lines: [String(error)] };
  return {
    good: false,
    lines: [error.message, ...error.why, ...error.next.map(next => `→ ${next}`)],
  };
}
