import type { Key as InkKey } from 'ink';
import type { Key } from './keys.ts';

const named: readonly (readonly [keyof InkKey, Key])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
];

/** What was pressed, as one word each; letters that came in one piece are several keys. */
export function keyNames(input: string, key: InkKey): readonly Key[] {
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  const special = named.find(([name]) => key[name] === true);
  if (special !== undefined) return [special[1]];
  if (key.ctrl) return [`ctrl-${input}`];
  return key.meta ? [] : [...input];
}
