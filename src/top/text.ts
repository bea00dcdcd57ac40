/** Text in cells of a known width. Letters are counted, as in the plain tables; the line as a whole is cut by Ink. */

import { span } from '../cli/format.ts';

/** What nodes send is shown, so nothing in it may move the cursor, colour the screen or turn the writing around. */
export function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

export function widthOf(text: string): number {
  // Most texts are plain letters, and then no array is needed.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...text].length;
}

export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1
    ? ''
    : `${[...text]
        .slice(0, width - 1)
        .join('')
        .trimEnd()}…`;
}

export function pad(text: string, width: number, right = false): string {
  const fitted = cut(text, width);
  const blank = ' '.repeat(Math.max(0, width - widthOf(fitted)));
  return right ? blank + fitted : fitted + blank;
}

/** At spaces where there are any; what is longer than a line is cut into pieces. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap(each => pieces(each, width))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width || width < 1) return [word];
  const letters = [...word];
  return Array.from({ length: Math.ceil(letters.length / width) }, (_, at) =>
    letters.slice(at * width, (at + 1) * width).join(''),
  );
}

/** Since or until a moment, `-` when there is none. `now` is the daemon's clock, ms. */
export function since(time: string | null, now: number): string {
  return time === null ? '-' : span(now - Date.parse(time));
}

export function until(time: string | null, now: number): string {
  return time === null ? '-' : span(Date.parse(time) - now);
}

export function clockText(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}

export function percent(share: number | null, digits: number): string {
  if (share === null) return '-';
  // 99.996 is not all: a hundred is only said of what never failed.
  return share === 1 ? '100' : Math.min(100 - 10 ** -digits, share * 100).toFixed(digits);
}

/** With its sign, or `-`. */
export function percentText(share: number | null, digits: number): string {
  return share === null ? '-' : `${percent(share, digits)}%`;
}
