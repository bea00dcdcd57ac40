/** Which headers an endpoint may be given, in the file and at runtime. */

import { headers as headersField } from './fields.ts';
import type { Finding, PathPart } from './problem.ts';

/** The gateway and its HTTP client write these; an operator's would meet them (contract section 2). */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function headerFindings(at: readonly PathPart[], names: readonly string[]): Finding[] {
  const seen = new Set<string>();
  return names.flatMap((name): Finding[] => {
    const lower = name.toLowerCase();
    const path = [...at, name];
    if (ownHeaders.has(lower))
      return [{ path, atKey: true, message: 'the gateway writes this header itself' }];
    if (seen.has(lower))
      return [{ path, atKey: true, message: 'this header stands twice; letter case makes no difference' }];
    seen.add(lower);
    return [];
  });
}

/** The same for headers that come at runtime, in words that show no value. */
export function headerFaults(headers: Readonly<Record<string, string>>): readonly string[] {
  const read = headersField.safeParse(headers);
  const misshapen = (read.error?.issues ?? []).map(issue =>
    // What is wrong with a name stands one level down.
    issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? 'expected a header name') : issue.message,
  );
  return [...misshapen, ...headerFindings([], Object.keys(headers)).map(({ message }) => message)];
}
