import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { linesTo } from '../../src/io/descriptor.ts';
import { type LoggerOptions, openLogger } from '../../src/io/logger.ts';

function logger(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line) > 0;
  return { lines, log: openLogger({ level: 'info', form: 'json', colour: false, write, ...options }) };
}

const source = (name: string) => JSON.stringify(new URL(`../../src/io/${name}`, import.meta.url).href);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('as JSON', () => {
  it('is one object a line, with time, level as a word, text and fields', () => {
    const { lines, log } = logger();
    log.warn('endpoint is down', {
      chain: 'ethereum',
      endpoint: 'infura',
      ms: 12,
      probe: false,
      none: undefined,
    });
    log.error('100%s sure');
    expect(lines.every(line => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.map(line => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time,
        msg: 'endpoint is down',
        chain: 'ethereum',
        endpoint: 'infura',
        ms: 12,
        probe: false,
      },
      { level: 'error', time, msg: '100%s sure' },
    ]);
  });

  it('is one line whatever a text holds', () => {
    const { lines, log } = logger();
    log.info('two\nlines', { answer: 'a\r\n{"level":"error"}\u2028' });
    expect(lines).toHaveLength(1);
    expect(lines[0]!.trimEnd()).not.toMatch(/[\r\n]/);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'two\nlines',
      answer: 'a\r\n{"level":"error"}\u2028',
    });
  });

  it('takes another level while it runs', () => {
    const { lines, log } = logger();
    log.debug('unheard');
    log.level = 'debug';
    log.debug('heard');
    log.level = 'error';
    log.warn('unheard');
    log.level = 'silent';
    log.error('unheard');
    expect(log.level).toBe('silent');
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['heard']);
  });

  it('says how many lines were lost once it can be written to again', () => {
    const lines: string[] = [];
    let full = false;
    const { log } = logger({
      write(line) {
        if (!full) lines.push(line);
        return !full;
      },
    });
    log.info('one');
    full = true;
    for (const message of ['two', 'three', 'four']) log.info(message);
    full = false;
    log.info('five');
    log.info('six');
    expect(lines.map(line => JSON.parse(line)).map(({ msg, count }) => ({ msg, count }))).toEqual([
      { msg: 'one' },
      { msg: 'five' },
      { msg: 'log lines lost', count: 3 },
      { msg: 'six' },
    ]);
  });
});

describe('for people', () => {
  it('is one line: time, level, text, fields', () => {
    const { lines, log } = logger({ form: 'text' });
    log.warn('endpoint is down', { chain: 'ethereum', ms: 12, reason: 'no answer', empty: '' });
    log.info('started');
    expect(lines).toEqual([
      expect.stringMatching(
        /^\d\d:\d\d:\d\d\.\d{3}Z warn {2}endpoint is down {2}chain=ethereum ms=12 reason="no answer" empty=""\n$/,
      ),
      expect.stringMatching(/^\d\d:\d\d:\d\d\.\d{3}Z info {2}started\n$/),
    ]);
  });

  it('has colours only when asked for', () => {
    const { lines, log } = logger({ form: 'text', colour: true });
    log.error('bad', { chain: 'tron' });
    expect(lines[0]).toContain('\u001b[31merror\u001b[39m bad');
  });

  it('lets no text from elsewhere steer the terminal', () => {
    const { lines, log } = logger({ form: 'text' });
    log.info('a\u001b[2Jb\nc', { answer: '\u001b]0;title\u0007 \u202egnp\u009b1m\r\n' });
    expect(lines).toHaveLength(1);
    expect(lines[0]!.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines[0]).toContain('a�[2Jb�c');
  });
});

describe('lines to a descriptor', () => {
  it('are there when the process ends in the next moment', async () => {
    const script = `
      import { openLogger } from ${source('logger.ts')};
      import { linesTo } from ${source('descriptor.ts')};
      const log = openLogger({ level: 'info', form: 'json', colour: false, write: linesTo(2) });
      for (let n = 0; n < 1000; n++) log.info('line', { n, pad: 'x'.repeat(200) });
      process.kill(process.pid, 'SIGKILL');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [out, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(signal).toBe('SIGKILL');
    const numbers = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line).n);
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, n) => n));
  });

  it('are lost, and the process lives, when nobody reads them any more', async () => {
    const script = `
      import { linesTo } from ${source('descriptor.ts')};
      process.stdin.once('data', () => process.exit(linesTo(2)('line\\n') ? 1 : 7));
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    child.stderr.destroy();
    await once(child.stderr, 'close');
    child.stdin.write('go');
    expect((await once(child, 'exit'))[0]).toBe(7);
  });

  it('are lost, and the process goes on, when their reader stands still', async () => {
    const script = `
      import { linesTo } from ${source('descriptor.ts')};
      const write = linesTo(2);
      while (write('x'.repeat(10_000) + '\\n'));
      process.exit(write('line\\n') ? 1 : 7);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect((await once(child, 'exit'))[0]).toBe(7);
    child.stderr.destroy();
  });

  it('are lost, and the process lives, when the descriptor takes nothing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rpcgw-log-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'log');
    const descriptor = openSync(file, 'w');
    const write = linesTo(descriptor);
    expect(write('one ü\n')).toBe(true);
    closeSync(descriptor);
    expect(write('two\n')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('one ü\n');
  });
});
