/** What many shapes share. Unknown is `null`, times are RFC 3339 in UTC, spans are numbers of ms. */

import { z } from 'zod/mini';

export const time = z.iso.datetime();
export const maybeTime = z.nullable(time);
export const count = z.int().check(z.nonnegative());
export const maybeNumber = z.nullable(z.number());
export const maybeText = z.nullable(z.string());
export const chainName = z.string().check(z.minLength(1), z.maxLength(64));
export const endpointName = z.string().check(z.minLength(1), z.maxLength(64));

/** What one operator writes and another one reads: on their terminal it must move no cursor and hide no line. */
export const oneLine = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.minLength(least), z.maxLength(most)),
    z.transform(text => text.replace(unseen, ' ')),
  );
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
export const label = z.string().check(
  z.maxLength(128),
  z.refine(text => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text), 'expected a text of one line'),
);

/** What passed through a query of a URL: `true`, or absent. */
export const queryFlag = z._default(
  z.pipe(
    z.union([z.boolean(), z.literal('true'), z.literal('false')]),
    z.transform(value => value === true || value === 'true'),
  ),
  false,
);
/** Wall clock, ms; up to the last moment a date can have. */
export const queryMs = z.coerce.number().check(z.int(), z.nonnegative(), z.maximum(8_640_000_000_000_000));
