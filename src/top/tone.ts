import { Chalk } from 'chalk';

const chalk = new Chalk({ level: 1 });

/** The 16 basic colours and no background of our own, so that light themes stay legible. Never the only carrier. */
export const tones = {
  quiet: chalk.dim,
  strong: chalk.bold,
  good: chalk.green,
  info: chalk.cyan,
  off: chalk.blue,
  warn: chalk.yellow,
  bad: chalk.red,
  alarm: chalk.red.bold,
  shout: chalk.red.bold.inverse,
} as const;

export type Tone = keyof typeof tones;
