/** The text of a config as YAML 1.2: its value, and where each part of it stands. */

import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { type ConfigProblem, type PathPart, pathText } from './problem.ts';

export interface Source {
  readonly value: unknown;
  readonly problems: readonly ConfigProblem[];
  /** False: the text could not be read as a whole, and what follows the first problem would be a guess. */
  readonly sound: boolean;
  /** Of the key or the value; of the nearest thing above it when it is not there. */
  place(path: readonly PathPart[], atKey: boolean): { readonly line: number; readonly column: number };
}

/** yaml's own texts repeat what stands in the file, so ours are used. */
const texts: Readonly<Record<string, string>> = {
  BAD_ALIAS: 'this alias is not written rightly',
  BAD_DIRECTIVE: 'lines that begin with % are not known here',
  BAD_DQ_ESCAPE: 'an escape in a double-quoted text that YAML does not know; in single quotes there are none',
  BAD_INDENT: 'the indentation does not fit the lines above, or a bracket is not closed',
  BAD_SCALAR_START: 'a text that begins with this character must be in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key and a block cannot begin on the same line',
  BLOCK_IN_FLOW: 'inside [ ] or { } everything must be in that form',
  MISSING_CHAR: 'something is missing here: a quote, a bracket, a comma, a colon or a space',
  MULTILINE_IMPLICIT_KEY: 'a key must fit on one line; is a colon missing?',
  MULTIPLE_DOCS: 'only one document is expected (no second ---)',
  RESOURCE_EXHAUSTION: 'nested too deep',
  TAB_AS_INDENT: 'tabs cannot indent YAML',
  TAG_RESOLVE_FAILED: 'tags (!…) are not known here',
  UNEXPECTED_TOKEN: 'this is not expected here',
};

/** The commonest way to break a config: `{ url: ${URL} }`. */
const quoteIt = 'inside [ ] and { } a reference must be in quotes';

/** These leave the rest of the text readable. */
const local = new Set(['DUPLICATE_KEY', 'TAG_RESOLVE_FAILED', 'BAD_DQ_ESCAPE']);

export function readSource(text: string): Source {
  const lines = new LineCounter();
  // Pretty errors would carry lines of the file.
  const doc = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
    logLevel: 'error',
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const faults = [...doc.errors, ...doc.warnings];
  const rows = text.split('\n');
  const problems = faults.map((fault): ConfigProblem => {
    const place = at(fault.pos[0]);
    if (fault.code === 'DUPLICATE_KEY') {
      const path = pathText(pathAt(doc.contents, fault.pos[0]) ?? []);
      return { path, ...place, message: 'this key stands twice; the second would silently win' };
    }
    const message = `not valid YAML: ${texts[fault.code] ?? 'it cannot be read'}`;
    return {
      path: '',
      ...place,
      message,
      ...(rows[place.line - 1]?.includes('${') ? { hint: quoteIt } : {}),
    };
  });
  const place: Source['place'] = (path, atKey) => at(offsetOf(doc, path, atKey));
  const sound = faults.every(fault => local.has(fault.code));
  if (!sound) return { value: undefined, problems, sound, place };
  try {
    return { value: doc.toJS({ maxAliasCount: 100 }), problems, sound, place };
  } catch (error) {
    // The one thing left to throw: an alias without its anchor, or too many of them.
    if (!(error instanceof ReferenceError)) throw error;
    const message = 'an alias (*name) has no anchor (&name) above it, or aliases multiply past all reason';
    return {
      value: undefined,
      problems: [...problems, { path: '', line: 1, column: 1, message }],
      sound: false,
      place,
    };
  }
}

function offsetOf(doc: Document.Parsed, path: readonly PathPart[], atKey: boolean): number {
  let node = resolved(doc, doc.contents);
  let offset = node?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.findLast(item => keyOf(item.key) === String(part));
      if (pair === undefined) return offset;
      const key = startOf(pair.key) ?? offset;
      const last = depth === path.length - 1;
      // What is missing below a key is shown at the key, not at the first thing it holds.
      offset = last && !atKey ? (startOf(pair.value) ?? key) : key;
      node = resolved(doc, pair.value);
    } else if (isSeq(node) && typeof part === 'number') {
      const item = node.items[part];
      offset = startOf(item) ?? offset;
      node = resolved(doc, item);
    } else {
      return offset;
    }
  }
  return offset;
}

/** The path to the key that stands at this offset. */
function pathAt(node: unknown, offset: number): PathPart[] | undefined {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (startOf(key) === offset) return [keyOf(key)];
      const below = pathAt(value, offset);
      if (below !== undefined) return [keyOf(key), ...below];
    }
  }
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const below = pathAt(item, offset);
      if (below !== undefined) return [index, ...below];
    }
  }
  return undefined;
}

function resolved(doc: Document.Parsed, node: unknown): Node | undefined {
  const target = isAlias(node) ? node.resolve(doc) : node;
  return isMap(target) || isSeq(target) || isScalar(target) ? target : undefined;
}

function keyOf(key: unknown): string {
  return isScalar(key) ? String(key.value ?? '') : '';
}

function startOf(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
