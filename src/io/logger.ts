/**
 * The process's log: one JSON object a line, or one line for people on a terminal. Only fixed texts and plain values go
 * in, never an error object, a URL or a header: what must not be shown has no way to get here.
 */

import { styleText } from 'node:util';
import { pino } from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>> & {
  readonly level?: never;
  readonly time?: never;
  readonly msg?: never;
};

export interface Logger {
  /** May be set at any time. */
  level: LogLevel;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  /** Someone must act. */
  error(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly form: 'json' | 'text';
  /** Of the text form. */
  readonly colour: boolean;
  /** Takes a line with its end; false when it could not be written. */
  readonly write: (line: string) => boolean;
}

export function openLogger(options: LoggerOptions): Logger {
  const shown =
    options.form === 'json' ? (line: string) => line : (line: string) => forPeople(line, options.colour);
  let lost = 0;
  let reporting = false;
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: level => ({ level }) },
    },
    {
      write(line: string) {
        const written = options.write(shown(line));
        if (reporting) {
          if (written) lost = 0;
        } else if (!written) {
          lost += 1;
        } else if (lost > 0) {
          reporting = true;
          root.warn({ count: lost }, 'log lines lost');
          reporting = false;
        }
      },
    },
  );
  return {
    get level() {
      // Only ever set below or by the options, both of which are of this type.
      return root.level as LogLevel;
    },
    set level(level) {
      root.level = level;
    },
    debug: (message, fields = {}) => root.debug(fields, message),
    info: (message, fields = {}) => root.info(fields, message),
    warn: (message, fields = {}) => root.warn(fields, message),
    error: (message, fields = {}) => root.error(fields, message),
  };
}

const colours = { debug: 'gray', info: 'green', warn: 'yellow', error: 'red' } as const;

/** `14:03:07.120Z warn  endpoint is down  chain=ethereum endpoint=infura` */
function forPeople(line: string, colour: boolean): string {
  const { level, time, msg, ...fields } = JSON.parse(line);
  const paint = (style: (typeof colours)[keyof typeof colours], text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const pairs = Object.entries(fields).map(
    ([name, value]) => ` ${paint('gray', `${plain(name)}=`)}${quoted(value)}`,
  );
  const word = paint(colours[level as keyof typeof colours], level.padEnd(5));
  return `${paint('gray', time.slice(11))} ${word} ${plain(msg)}${pairs.length > 0 ? ' ' : ''}${pairs.join('')}\n`;
}

function quoted(value: unknown): string {
  const text = plain(String(value));
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text);
}

/** Text that came from elsewhere must not move the cursor, colour the screen, or turn the line around. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�');
}
