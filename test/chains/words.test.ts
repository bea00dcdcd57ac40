import { describe, expect, test } from 'vitest';
import {
  authWords,
  plain,
  quotaWords,
  speedWords,
  waitInData,
  waitInHeaders,
  waitInText,
} from '../../src/chains/words.ts';

describe('plain', () => {
  test('lower case, no web addresses, single blanks', () => {
    expect(plain('See  https://a.example/rate-limits\n NOW, You’ve')).toBe("see now, you've");
  });
});

describe('words', () => {
  const table: [string, RegExp, boolean][] = [
    ['Too Many Requests', speedWords, true],
    ['too many RPC calls in batch request', speedWords, false],
    ['too many blocks', speedWords, false],
    ['over rate limit', speedWords, true],
    ['rate-limited', speedWords, true],
    ['project ID request rate exceeded', speedWords, true],
    ['100/second request limit reached - reduce calls per second', speedWords, true],
    ['Your app has exceeded its compute units per second capacity', speedWords, true],
    ['credits limited to 6000/sec', speedWords, true],
    ["You've exceeded the RPS limit available on the current plan.", speedWords, true],
    ['The key exceeds the frequency limit(15), and the query server is suspended for 30s', speedWords, true],
    ['Request was throttled.', speedWords, true],
    ['request too quickly, please retry later.', speedWords, true],
    ['exceeded its requests per second capacity', speedWords, true],
    ['compute units per second', quotaWords, false],
    ['execution timeout', speedWords, false],
    ['Monthly capacity limit exceeded.', quotaWords, true],
    ['daily request count exceeded', quotaWords, true],
    ["You've reached your monthly quota of Request Units (RUs)", quotaWords, true],
    ['Exceed the user daily usage (100000)', quotaWords, true],
    ['max usage reached', quotaWords, true],
    ['You have reached the free tier limit.', quotaWords, true],
    ['out of credits', quotaWords, true],
    ['header not found', quotaWords, false],
    ['invalid project id', authWords, true],
    ['Must be authenticated!', authWords, true],
    ['Unspecified origin not on whitelist.', authWords, true],
    ['ApiKey not exists', authWords, true],
    ['No API key found in request', authWords, true],
    ['IP is not allowed!', authWords, true],
    ['token is invalid', authWords, true],
    ['API key disabled, reason: tenant disabled', authWords, true],
    ['Endpoint Disabled', authWords, true],
    ['execution timeout', authWords, false],
    ['header not found', authWords, false],
  ];
  test.each(table)('%s %s %s', (text, words, yes) => {
    expect(words.test(plain(text))).toBe(yes);
  });
});

describe('time', () => {
  test.each<[string, number | undefined]>([
    ['Too many requests, retry in 10s', 10_000],
    ['try again in 5 s', 5_000],
    ['retry after 1m', 60_000],
    ['please retry after 1m30s.', 90_000],
    ['Rate limited. Try again in 250ms', 250],
    ['please wait 2 minutes before', 120_000],
    ['the query server is suspended for 5 s', 5_000],
    ['retry after 60', 60_000],
    ['retry with the range 18000000-18000499', undefined],
    ['please try again later', undefined],
    ['try again in 0 s', undefined],
    ['limited to 100 requests', undefined],
  ])('%s', (text, ms) => {
    expect(waitInText(plain(text))).toBe(ms);
  });

  test.each<[unknown, number | undefined]>([
    [{ rate: { allowed_rps: 1, backoff_seconds: 30 } }, 30_000],
    [{ rate: { backoff_seconds: 0 } }, undefined],
    [{ retry_after: 60 }, 60_000],
    [{ retryAfter: '2.5' }, 2_500],
    [{ try_again_in: '24.5ms' }, 24.5],
    [{ 'retry-after-ms': 700 }, 700],
    [{ retryAfterMs: '1500' }, 1_500],
    [{ retryable: 'true' }, undefined],
    ['retry_after', undefined],
    [null, undefined],
  ])('%j', (data, ms) => {
    expect(waitInData(data)).toBe(ms);
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '30' }, 30_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT' }, 60_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT', date: 'Thu, 01 Jan 1970 00:01:30 GMT' }, 30_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('%j', (headers, ms) => {
    expect(waitInHeaders(headers, 60_000)).toBe(ms);
  });
});
