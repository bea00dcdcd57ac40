/** One sign for one sign, so that a frame keeps its columns when the terminal knows no Unicode. */
const signs: Readonly<Record<string, string>> = {
  '─': '-',
  '═': '=',
  '▸': '>',
  '…': '~',
  '·': '.',
  '×': 'x',
  '−': '-',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '✖': 'X',
  '✔': '+',
  '▼': 'v',
  '▲': '^',
  '◑': '/',
  '◌': 'o',
  '◐': '%',
  '≡': '=',
  '■': '#',
  '●': '*',
  '▁': '.',
  '▂': ':',
  '▃': '-',
  '▄': '=',
  '▅': '+',
  '▆': '*',
  '▇': '#',
  '█': '%',
};

export function toAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, letter => signs[letter] ?? '?');
}

const narrow = new RegExp(`^[\\x20-\\x7e${Object.keys(signs).join('')}]*$`, 'u');

/** Nothing in it but letters and signs that take one column each, whatever the terminal thinks of other languages. */
export function isNarrow(text: string): boolean {
  return narrow.test(text);
}

/** Whether the locale says UTF-8; the first that is set counts, as everywhere. */
export function localeIsUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find(value => value !== undefined && value !== '');
  return locale !== undefined && /utf-?8/i.test(locale);
}
