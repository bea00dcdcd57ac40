import type { Loop } from '../gateway/ports.ts';

export const loop: Loop = {
  turn(run) {
    // After what the sockets brought, which `process.nextTick` and a promise would come before.
    setImmediate(run);
  },
};
