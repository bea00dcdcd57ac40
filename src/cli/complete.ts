import type { Status } from '../api/contract.ts';
import { commands, groups } from './commands.ts';
import { completionsFor, type LiveNames } from './completions.ts';
import type { CommandContext } from './context.ts';

/** Somebody pressed a key and waits. */
const limitMs = 150;

/** A word and what it is, with a tab between; `:files` for whatever the shell knows of files. Never an error. */
export async function run(context: CommandContext): Promise<number> {
  const [given] = context.args;
  const words = Array.isArray(given) ? given.map(String) : [''];
  const found = await completionsFor(words, commands, groups, liveNames(context));
  if (found === 'files') context.out(':files');
  else for (const { word, says } of found) context.out(`${word}\t${says}`);
  return 0;
}

function liveNames(context: CommandContext): LiveNames {
  const ask = async (chain: string | undefined): Promise<Status['chains']> => {
    try {
      // What has to be loaded is not the daemon's slowness.
      await Promise.all([import('../api/client.ts'), import('../config/places.ts')]);
      const asked = chain === undefined ? {} : { chain };
      return (await context.api.ask('status', asked, AbortSignal.timeout(limitMs))).chains;
    } catch {
      // No daemon, no right, no such chain, or too slow: then there are no names to offer.
      return [];
    }
  };
  return {
    chains: async () => (await ask(undefined)).map(({ name }) => name),
    endpoints: async chain =>
      (await ask(chain)).flatMap(({ endpoints }) => endpoints.map(({ name }) => name)),
  };
}
