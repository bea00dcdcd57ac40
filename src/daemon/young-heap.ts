import { setFlagsFromString } from 'node:v8';

/**
 * What V8 would get wrong about this heap, where nearly all is young when it dies. To be said before the first exchange.
 *
 * - It watches where objects that live long are made, and then makes all that come from there in the old generation. At a start
 *   all endpoints are asked at once and each exchange lives for a while; with a thousand of them it took this for the rule: each
 *   exchange was old at birth from then on, kept what it held until the next full collection, and made every young one dearer.
 * - It doubles the young generation a step at a time, gives it back when little happens, and at a moderate rate takes minutes to
 *   have it again, which looks like a leak. In one step it is there in seconds; its full size is the operator's to say.
 */
export function keepHeapYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=16');
}
