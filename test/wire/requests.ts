/** Requests written in every way, and whether they are read as the platform's parser reads them. */

import fc from 'fast-check';
import { type RequestLimits, readRequest } from '../../src/wire/request.ts';
import { same } from '../fuzz/same.ts';
import { isRecord, numberText, parsed, spaceText, stringText, valueText } from './json-texts.ts';

const decoder = new TextDecoder();

/** What was read, as values. */
export function told(bytes: Uint8Array, limits: RequestLimits) {
  const request = readRequest(bytes, limits);
  if (request.form === 'refused') return request;
  const envelopes = request.form === 'single' ? [request.envelope] : request.envelopes;
  const slice = (at: number, end: number): unknown => JSON.parse(decoder.decode(bytes.subarray(at, end)));
  return {
    form: request.form,
    calls: envelopes.map(({ method, id, paramsAt, paramsEnd, at, end }) => ({
      method,
      ...(id === undefined ? {} : { id: JSON.parse(id) as unknown }),
      ...(paramsAt < 0 ? {} : { params: slice(paramsAt, paramsEnd) }),
      own: slice(at, end),
    })),
  };
}

const idText = fc.oneof(numberText, stringText, fc.constant('null'));
const methodText = fc.constantFrom('"eth_call"', '"m"', '"é"', '""', '1', '"a\\u0062"');
const member = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('"method"'), methodText) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('"id"'), idText) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('"params"'), valueText) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('"jsonrpc"'), fc.constant('"2.0"')) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('"x"', '"y"', '"Id"', '"pàrams"'), valueText) },
);
export const callText = fc
  .tuple(
    methodText,
    fc.uniqueArray(fc.tuple(spaceText, member, spaceText), { maxLength: 4, selector: ([, [key]]) => key }),
    fc.boolean(),
  )
  .map(([method, members, withMethod]) => {
    const texts = members.map(([a, [key, value], b]) => `${a}${key}${b}:${b}${value}${a}`);
    if (withMethod && !members.some(([, [key]]) => key === '"method"')) texts.push(`"method":${method}`);
    return `{${texts.join(',')}}`;
  });
export const requestText = fc.oneof(
  fc.tuple(spaceText, callText, spaceText).map(parts => parts.join('')),
  fc.array(callText, { maxLength: 4 }).map(calls => `[${calls.join(' , ')}]`),
);

export const roomy: RequestLimits = { maxDepth: 100, maxBatch: 3 };

/** Throws when a taken request is not what `JSON.parse` says; true when it was taken. */
export function readAlike(bytes: Uint8Array): boolean {
  const reference = parsed(bytes);
  const request = told(bytes, roomy);
  if (!('calls' in request)) return false;
  if (!reference.ok) throw new Error('JSON.parse refuses it');
  const { value } = reference;
  same('a batch is an array', Array.isArray(value), request.form === 'batch');
  const items: unknown[] = Array.isArray(value) ? value : [value];
  same(
    'the calls',
    request.calls.map(call => call.own),
    items,
  );
  for (const [index, item] of items.entries()) {
    if (!isRecord(item)) throw new Error('an item is no object');
    const call = request.calls[index];
    for (const key of ['method', 'id', 'params'] as const) {
      same(`there is ${key}`, call !== undefined && key in call, Object.hasOwn(item, key));
      same(key, call?.[key], item[key]);
    }
  }
  return true;
}
