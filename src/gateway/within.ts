import type { Clock } from './ports.ts';

export type Within<T> = { readonly came: T } | 'late' | 'failed';

/**
 * What a promise brings, if it does so in time. `late` gets what comes after that. A rejection is told as `failed`:
 * whoever made the promise has said why by then.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  promise: Promise<T>,
  late?: (value: T) => void,
): Promise<Within<T>> {
  return new Promise(resolve => {
    let waiting = true;
    // What the event loop has in hand by then counts: a process that was held up itself must not call others late.
    let timer = clock.after(ms, () => {
      timer = clock.after(0, () => over('late'));
    });
    const over = (result: Within<T>): void => {
      waiting = false;
      timer.cancel();
      resolve(result);
    };
    promise.then(
      value => {
        if (waiting) over({ came: value });
        else late?.(value);
      },
      () => {
        if (waiting) over('failed');
      },
    );
  });
}
