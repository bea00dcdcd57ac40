/**
 * The short commands as one script, with what V8 made of it at the build beside it: neither parsed nor compiled again, they
 * answer a fifth to a third sooner (docs/performance.md). Who could write that file could write the script.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');

const script = join(__dirname, '..', 'dist', 'script', 'main.cjs');
/** For this V8 alone: another one, or one with other flags, refuses it and compiles the script as ever. */
const compiled = script.replace(/cjs$/, `${process.versions.v8}-${process.arch}.v8`);

/** First words of commands that are left to the whole program: they take long, or bring what no other one needs. */
exports.notInScript = ['serve', 'top', 'demo', 'classify', 'docs'];

exports.isCompiled = () => existsSync(compiled);

/** What the script exports, whether V8 refused what lay beside it, and how to keep what it has made of the script up to now. */
exports.load = () => {
  const made = new Script(readFileSync(script, 'utf8'), {
    filename: script,
    cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const exported = {};
  made.runInThisContext()(exported, createRequire(script), script);
  return {
    ...exported,
    refused: made.cachedDataRejected === true,
    keep: () => writeFileSync(compiled, made.createCachedData()),
  };
};
