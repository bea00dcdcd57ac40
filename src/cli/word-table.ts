import { table } from './format.ts';

/** Lines of a word, a name and a text, each in its column: how `explain`, `test` and `doctor` answer. */
export function wordTable(rows: readonly (readonly [word: string, name: string, text: string])[]): string {
  const lines = table(rows, [
    { title: '', value: ([word]) => word },
    { title: '', value: ([, name]) => name },
    { title: '', value: ([, , each]) => each },
  ]);
  return lines.split('\n').slice(1).join('\n');
}
