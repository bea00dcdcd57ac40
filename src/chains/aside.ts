/**
 * What an error says outside its message and its data: gateways call the message "Payment Required" and put the sentence,
 * a quota or a plan, into `details`.
 */

const members = ['details', 'detail', 'description', 'reason', 'cause', 'hint', 'info'];
const named = new RegExp(`"(?:${members.join('|')})"\\s*:`);

/** The texts, from the error's JSON text; none when that is cut. */
export function asideOf(text: string): readonly string[] {
  if (!named.test(text)) return none;
  const error = objectIn(text);
  return error === undefined ? none : members.flatMap(name => textsIn(error[name], 2));
}

const none: readonly string[] = [];

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // An object of JSON has any members, and string keys only.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Cut in the middle: the message has to do.
    return undefined;
  }
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return none;
  return Object.values(value).flatMap(own => textsIn(own, depth - 1));
}
