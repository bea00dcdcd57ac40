import { linesTo } from '../io/descriptor.ts';
import { type Logger, type LogLevel, openLogger } from '../io/logger.ts';

/** The log of this process, on stderr: JSON for machines, one plain line each on a terminal. */
export function openProcessLogger(level: LogLevel): Logger {
  const people = process.stderr.isTTY === true;
  return openLogger({
    level,
    form: people ? 'text' : 'json',
    colour: people && !process.env.NO_COLOR,
    write: linesTo(2),
  });
}
