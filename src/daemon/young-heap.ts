import { setFlagsFromString } from 'node:v8';

/**
 * What V8 would get wrong about heaps where nearly all is young when it dies. To be said before the first exchange, and before the
 * store's threads begin.
 *
 * - It watches where objects that live long are made, and then makes all that come from there in the old generation. At a start
 *   all endpoints are asked at once and each exchange lives for a while; with a thousand of them it took this for the rule: each
 *   exchange was old at birth from then on, kept what it held until the next full collection, and made every young one dearer.
 * - It doubles the young generation step by step, and gives it back after each full collection: at a moderate rate memory went up
 *   and down for many minutes. In one step it has its size at once, and again.
 * - A thread gets a young generation as large as the main one's, and fills it once in hours, which looks like a leak. One of the
 *   store's needs room for a batch of rows: 1 MiB. It is a flag and not the thread's own limit, since a flag in `NODE_OPTIONS`
 *   outweighs that; the main heap has read it by now.
 */
export function keepHeapYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=16');
  setFlagsFromString('--max-semi-space-size=1');
}
