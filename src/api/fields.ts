/** What many shapes share. Unknown is `null`, times are RFC 3339 in UTC, spans are numbers of ms. */

import { z } from 'zod';

export const time = z.iso.datetime();
export const maybeTime = time.nullable();
export const count = z.number().int().nonnegative();
export const maybeNumber = z.number().nullable();
export const maybeText = z.string().nullable();
export const chainName = z.string().min(1).max(64);
export const endpointName = z.string().min(1).max(64);

/** What one operator writes and another one reads: on their terminal it must move no cursor and hide no line. */
export const oneLine = (least: number, most: number) =>
  z
    .string()
    .min(least)
    .max(most)
    .transform(text => text.replace(unseen, ' '));
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
export const label = z
  .string()
  .max(128)
  .refine(text => !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text), 'expected a text of one line');

/** What passed through a query of a URL: `true`, or absent. */
export const queryFlag = z
  .union([z.boolean(), z.literal('true'), z.literal('false')])
  .transform(value => value === true || value === 'true')
  .default(false);
/** Wall clock, ms; up to the last moment a date can have. */
export const queryMs = z.coerce.number().int().nonnegative().max(8_640_000_000_000_000);
