import type { Clock } from '../gateway/ports.ts';

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.after(ms, resolve);
  });
}
