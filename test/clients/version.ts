import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const checkout = new URL('../../', import.meta.url);
/** Where packages are taken from that are not the installed ones: folders with a `node_modules`. */
const elsewhere = new Map<string, URL>();

/** The version of a package, which need not export its own description. */
export function versionOf(name: string): string {
  const file = new URL(`node_modules/${name}/package.json`, elsewhere.get(name) ?? checkout);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}

/** From here on, what the checkout imports of this package comes from that folder. Before anything imports it. */
export function takeFrom(folder: string, name: string): void {
  const there = pathToFileURL(`${folder}/`);
  elsewhere.set(name, there);
  registerHooks({
    resolve(specifier, context, next) {
      const isMeant = specifier === name || specifier.startsWith(`${name}/`);
      const isOurs = context.parentURL?.startsWith(`${checkout.href}test/`) === true;
      if (!isMeant || !isOurs) return next(specifier, context);
      return next(specifier, { ...context, parentURL: new URL('importer.js', there).href });
    },
  });
}
