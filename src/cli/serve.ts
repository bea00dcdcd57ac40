import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { loadConfig } from '../config/load.ts';
import { dataDirOf, findConfig, socketOf } from '../config/locate.ts';
import { problemText } from '../config/problem.ts';
import { OperatorError } from '../core/errors.ts';
import { type Daemon, type Prepared, prepareDaemon, startDaemon } from '../daemon/daemon.ts';
import { guardProcess } from '../daemon/process-guard.ts';
import { openProcessLogger } from '../daemon/process-logger.ts';
import { superviseProcess } from '../daemon/supervision.ts';
import { type CommandContext, option } from './context.ts';
import { groupIdOf } from './group.ts';
import { version } from './version.ts';

export async function run(context: CommandContext): Promise<number> {
  const level = option(context, 'logLevel');
  if (level !== undefined && !isLevel(level)) {
    throw new OperatorError('usage', `--log-level is one of debug, info, warn, error, not ${level}`);
  }
  const configFile = option(context, 'config');
  // Heard from here on: one that comes while the daemon starts ends it in order once it stands.
  const signalled = firstSignal();
  let daemon: Daemon | undefined;
  guardProcess(() => daemon?.secrets());
  // Its default would end the daemon, when a terminal closes or while it starts.
  process.on('SIGHUP', () => void daemon?.reload());
  daemon = await startServe({
    ...(configFile === undefined ? {} : { configFile }),
    ...(level === undefined ? {} : { logLevel: level }),
  });
  const supervisor = superviseProcess(daemon);
  const signal = await signalled;
  supervisor?.stopping();
  await daemon.stop();
  return signal === 'SIGINT' ? 130 : 0;
}

type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent';

function isLevel(text: string): text is Level {
  return ['debug', 'info', 'warn', 'error', 'silent'].includes(text);
}

/** Finds and reads the config, and starts the daemon on it. */
export async function startServe(options: ServeOptions): Promise<Daemon> {
  const prepared = prepareDaemon();
  try {
    return await startPrepared(prepared, options);
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

interface ServeOptions {
  readonly configFile?: string;
  readonly logLevel?: Level;
}

async function startPrepared(prepared: Prepared, options: ServeOptions): Promise<Daemon> {
  const env = { ...process.env, HOME: process.env.HOME ?? homedir() };
  const found = findConfig(options.configFile, env, existsSync);
  if (found.path === undefined) {
    throw new OperatorError('config_invalid', 'there is no config', {
      why: found.tried.map(path => `looked at ${path}`),
      next: ['rpcgw init', 'or name one with --config FILE'],
    });
  }
  const loaded = loadConfig(found.path, env);
  if (!loaded.ok) {
    const file = found.path;
    throw new OperatorError('config_invalid', `${file} is not valid`, {
      why: loaded.problems.map(problem => problemText(file, problem)),
      next: [`rpcgw check ${file}`],
    });
  }
  const { config } = loaded;
  const dataDir = dataDirOf(config.gateway, env);
  const socket = socketOf(config.gateway, env);
  if (dataDir === undefined || socket === undefined) {
    throw new OperatorError('config_invalid', 'there is no place for the state', {
      next: ['set dataDir in the config'],
    });
  }
  const { socketGroup } = config.gateway;
  const groupId = socketGroup === undefined ? undefined : groupIdOf(socketGroup);
  return startDaemon({
    config,
    configPath: resolve(found.path),
    dataDir,
    socket,
    ...(groupId === undefined ? {} : { groupId }),
    logger: openProcessLogger(options.logLevel ?? config.gateway.logLevel),
    version,
    prepared,
  });
}

function firstSignal(): Promise<'SIGINT' | 'SIGTERM'> {
  return new Promise(resolve => {
    const heard = (signal: 'SIGINT' | 'SIGTERM'): void => {
      process.off('SIGINT', heard).off('SIGTERM', heard);
      // A second one does not wait for what is in flight.
      process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
      resolve(signal);
    };
    process.on('SIGINT', heard).on('SIGTERM', heard);
  });
}
