import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share, shareText, sizeBytes, sizeText, spanMs, spanText } from '../../src/config/units.ts';

describe('units', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['7.5s', 7500],
    ['1.1s', 1100],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['90d', 7_776_000_000],
    ['0s', 0],
  ])('reads the span %s', (text, ms) => {
    expect(spanMs(text)).toBe(ms);
  });

  it.each([
    '30',
    '',
    '30 s',
    '-1s',
    '1e3s',
    '30S',
    '30sec',
    '5M',
    's',
    '0.5ms',
    '1.2345s',
    '9999999999999s',
    '30s\n',
  ])('refuses the span %j', text => {
    expect(spanMs(text)).toBeUndefined();
  });

  it.each([
    ['10MiB', 10_485_760],
    ['1KiB', 1024],
    ['1.5GiB', 1_610_612_736],
    ['512B', 512],
  ])('reads the size %s', (text, bytes) => {
    expect(sizeBytes(text)).toBe(bytes);
  });

  it.each(['10', '10MB', '10M', '10mib', '10 MiB', '0.5B'])('refuses the size %j', text => {
    expect(sizeBytes(text)).toBeUndefined();
  });

  it.each([
    ['1%', 0.01],
    ['20%', 0.2],
    ['0.1%', 0.001],
    ['0%', 0],
  ])('reads the share %s', (text, value) => {
    expect(share(text)).toBe(value);
  });

  it.each(['1', '0.01', '1 %', '-1%', '%'])('refuses the share %j', text => {
    expect(share(text)).toBeUndefined();
  });

  it('writes what it would read again', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 39 }), fc.nat({ max: 100_000 }), (whole, thousandths) => {
        expect(spanMs(spanText(whole))).toBe(whole);
        expect(sizeBytes(sizeText(whole))).toBe(whole);
        expect(share(shareText(thousandths / 100_000))).toBe(thousandths / 100_000);
      }),
    );
  });

  it('writes the largest unit that keeps the number whole', () => {
    expect([500, 1500, 30_000, 90_000, 3_600_000, 604_800_000, 0].map(spanText)).toEqual([
      '500ms',
      '1500ms',
      '30s',
      '90s',
      '1h',
      '7d',
      '0s',
    ]);
    expect([1024, 1000, 268_435_456, 0].map(sizeText)).toEqual(['1KiB', '1000B', '256MiB', '0B']);
  });
});
