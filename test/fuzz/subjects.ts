/** What is fuzzed: in bounded form by the tests beside, for as long as one likes by `bench/fuzz.ts`. */

import fc from 'fast-check';
import { mutated } from '../wire/json-texts.ts';
import { readAlike, requestText } from '../wire/requests.ts';
import { adminRoutes } from './admin.ts';
import { entryAndUrl, letsInWhoItNames } from './hosts.ts';
import { dataListener } from './listener.ts';
import type { Running } from './running.ts';
import { anyUrl, passesPlainOnly } from './urls.ts';

export interface Subject {
  readonly name: string;
  /** Tries in the tests. */
  readonly runs: number;
  start(): Promise<Running>;
}

const pure = (property: Running['property']) => async (): Promise<Running> => ({
  property,
  end: () => Promise.resolve(),
});

export const subjects: readonly Subject[] = [
  { name: 'the URL check', runs: 20_000, start: pure(fc.property(anyUrl, passesPlainOnly)) },
  { name: 'the allowlist', runs: 5_000, start: pure(fc.property(entryAndUrl, letsInWhoItNames)) },
  {
    name: 'the request scanner',
    runs: 10_000,
    start: pure(fc.property(mutated(requestText), bytes => void readAlike(bytes))),
  },
  { name: 'the admin routes', runs: 500, start: adminRoutes },
  { name: 'the data listener', runs: 500, start: dataListener },
];
