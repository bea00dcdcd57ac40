/** What is wrong with a config, and where. Carries no value of the file: any of them could be a secret. */

export interface ConfigProblem {
  /** `chains.ethereum.endpoints[0].url`; empty: the file as a whole. */
  readonly path: string;
  /** From 1; 0 when there is no text to point at. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** What was probably meant, or what to do. */
  readonly hint?: string;
}

export type PathPart = string | number;

/** A problem before it is known where in the text it stands. */
export interface Finding {
  readonly path: readonly PathPart[];
  /** The key is at fault, not what it holds. */
  readonly atKey?: true;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** One line for a terminal or a log, in the form that editors jump to. */
export function problemText(file: string, problem: ConfigProblem): string {
  const place = problem.line === 0 ? file : `${file}:${problem.line}:${problem.column}`;
  const path = problem.path === '' ? '' : `${problem.path}: `;
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`;
  return `${place}: ${path}${problem.message}${hint}`;
}

export function pathText(path: readonly PathPart[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? shownKey(part) : `${text}.${shownKey(part)}`;
  }, '');
}

/** A value that slipped into the place of a key may be a secret too. */
export function shownKey(key: string): string {
  return /^(?:[A-Za-z_.$<-]*[0-9]?){1,5}[A-Za-z_.$<-]*$/.test(key) && key.length <= 32 ? key : '…';
}
