/** A terminal of a known size: frames can be read, keys can be pressed, and nothing waits for milliseconds. */

import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { shownScreen } from './screen.ts';

export interface FakeTerminal {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  /** All that was written, in order. */
  readonly written: readonly string[];
  readonly raw: () => boolean;
  press(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until this is on the screen; resolves to the whole of it. */
  shows(what: string | RegExp): Promise<string>;
  screen(): string;
}

export function fakeTerminal(columns: number, rows: number): FakeTerminal {
  const written: string[] = [];
  const wrote = new EventEmitter().setMaxListeners(0);
  const out = Object.assign(new PassThrough(), { columns, rows, isTTY: true });
  const screen = shownScreen(columns, rows);
  out.on('data', chunk => {
    written.push(String(chunk));
    screen.write(String(chunk));
    wrote.emit('write');
  });
  let raw = false;
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(on: boolean) {
      raw = on;
      return input;
    },
    ref: () => input,
    unref: () => input,
  });
  const fits = (what: string | RegExp) => (text: string) =>
    typeof what === 'string' ? text.includes(what) : what.test(text);
  return {
    // What Ink uses of a terminal, and no more, is there.
    stdin: input as unknown as ReadStream,
    stdout: out as unknown as WriteStream,
    written,
    screen: screen.text,
    raw: () => raw,
    press: keys => void input.write(keys),
    resize(nextColumns, nextRows) {
      Object.assign(out, { columns: nextColumns, rows: nextRows });
      screen.resize(nextColumns, nextRows);
      out.emit('resize');
    },
    async shows(what) {
      for (;;) {
        if (fits(what)(screen.text())) return screen.text();
        await new Promise(resolve => wrote.once('write', resolve));
      }
    },
  };
}
