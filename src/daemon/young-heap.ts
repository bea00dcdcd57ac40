import { setFlagsFromString } from 'node:v8';

/**
 * V8 watches where objects that live long are made, and then makes all that come from there in the old generation. At a start all
 * endpoints are asked at once and each exchange lives for a while, so that with a thousand of them it took this for the rule: from then on
 * each exchange was old at birth, kept what it held until the next full collection, and made every young one dearer. Here
 * nearly all is young when it dies. To be said before the first exchange.
 */
export function keepHeapYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
