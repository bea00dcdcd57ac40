/**
 * `${VAR}`, `${file:/path}` and `${credential:name}` inside the values of a config. They are put in after the YAML is
 * read, so that what they hold is never syntax. What could not be put in is named by its key's path, never by its value.
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, PathPart } from './problem.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Expanded {
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** The value at this path could not be made whole: nothing more can be said about it. */
  hides(path: readonly PathPart[]): boolean;
}

const largestSecret = 64 * 1024;
/** Deeper than any config; an alias that holds itself has no end. */
const deepest = 16;
/** A `${` that is no reference is written `$${`. */
const literal = '${';
const escaped = '$${';

export function expand(value: unknown, env: Env): Expanded {
  const findings: Finding[] = [];
  const hidden = new Set<string>();

  const walk = (part: unknown, path: readonly PathPart[]): unknown => {
    if (typeof part === 'string') return inText(part, path);
    if (typeof part !== 'object' || part === null) return part;
    if (path.length > deepest) {
      findings.push({ path: path.slice(0, 3), message: 'nested too deep' });
      return undefined;
    }
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...path, index]));
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...path, key])]));
  };

  const inText = (text: string, path: readonly PathPart[]): string =>
    text.replace(
      /\$\$\{|\$\{([^}]*)(\}?)/g,
      (reference, name: string | undefined, end: string, at: number) => {
        if (reference === escaped) return literal;
        const got =
          end === ''
            ? { fault: `a reference that begins with ${literal} has no end` }
            : lookUp(name ?? '', env);
        if ('text' in got) return got.text;
        findings.push({ path, message: got.fault, hint: got.hint });
        // After the host of a URL the rest can still be judged; anywhere else nothing can.
        if (!/^[a-z]+:\/\/[^/?#$]+[/?]/i.test(text.slice(0, at))) hidden.add(JSON.stringify(path));
        return `unset-${findings.length}`;
      },
    );

  return { value: walk(value, []), findings, hides: path => hidden.has(JSON.stringify(path)) };
}

type Got = { readonly text: string } | { readonly fault: string; readonly hint?: string | undefined };

function lookUp(reference: string, env: Env): Got {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(reference)) {
    const value = env[reference];
    // An empty key in a URL asks the wrong thing of the right host.
    if (value === undefined || value === '')
      return { fault: `the variable ${reference} is not set, or empty` };
    return { text: value };
  }
  const [, kind, name = ''] = /^(file|credential):(.+)$/s.exec(reference) ?? [];
  if (kind === 'file' && name.startsWith('/')) return readSecret(name, `the file ${name}`);
  if (kind === 'credential' && /^[A-Za-z0-9_@-][A-Za-z0-9._@-]*$/.test(name)) {
    const folder = env.CREDENTIALS_DIRECTORY;
    if (folder === undefined || folder === '') {
      return {
        fault: `the credential ${name} cannot be read: CREDENTIALS_DIRECTORY is not set`,
        hint: 'systemd sets it for units with LoadCredential=',
      };
    }
    return readSecret(join(folder, name), `the credential ${name}`);
  }
  return {
    fault: `expected \${NAME}, \${file:/path} or \${credential:name}`,
    hint: `as plain text it is written ${escaped}`,
  };
}

function readSecret(path: string, what: string): Got {
  try {
    // A pipe would hold the start up for ever, a device would never end.
    const stat = statSync(path);
    if (!stat.isFile()) return { fault: `${what} is no regular file` };
    if (stat.size > largestSecret) return { fault: `${what} is larger than 64 KiB` };
    const text = new TextDecoder('utf-8', { fatal: true })
      .decode(readFileSync(path))
      .replace(/(?:\r?\n)+$/, '');
    return text === '' ? { fault: `${what} is empty` } : { text };
  } catch (error) {
    return { fault: `${what} cannot be read: ${reason(error)}` };
  }
}

/** Node's own texts are fine, but for paths that a credential's name stands for. */
export function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'it does not exist',
    ENOTDIR: 'it does not exist',
    EACCES: 'no permission',
    EISDIR: 'it is a folder',
    ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8',
  };
  return words[code] ?? (code === '' ? 'it is not readable' : code);
}
