/**
 * The short commands as one script, with what V8 made of it at the build beside it: neither parsed nor compiled again, they
 * answer a fifth to a third sooner (docs/performance.md). Who could write that file could write the script.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const script = join(__dirname, '..', 'dist', 'script', 'main.cjs');
/** For this V8 alone. */
const compiled = script.replace(/cjs$/, `${process.versions.v8}-${process.arch}.v8`);
/** Two checksums before what V8 has made, of the script and of that: V8 itself looks at lengths, and runs what is damaged. */
const headBytes = 8;

/** First words of commands that are left to the whole program: they take long, or bring what no other one needs. */
exports.notInScript = ['serve', 'top', 'demo', 'classify', 'docs'];

function start(text, cachedData) {
  const made = new Script(text.toString(), {
    filename: script,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const exported = {};
  made.runInThisContext()(exported, createRequire(script), script);
  // V8 refuses what was made under other flags, and has compiled the script as ever.
  return { ...exported, made, refused: made.cachedDataRejected === true };
}

/** What the script exports; undefined when nothing sound lies there for this V8 and this script. */
exports.load = () => {
  if (!existsSync(compiled)) return undefined;
  const [text, beside] = [readFileSync(script), readFileSync(compiled)];
  if (beside.length < headBytes) return undefined;
  const data = beside.subarray(headBytes);
  const sound = beside.readUInt32LE(0) === crc32(text) && beside.readUInt32LE(4) === crc32(data);
  return sound ? start(text, data) : undefined;
};

/** Has the script do some of its work, and keeps what V8 has made of it by then. */
exports.compile = async work => {
  const text = readFileSync(script);
  const { made, ...exported } = start(text, undefined);
  await work(exported);
  const data = made.createCachedData();
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(data), 4);
  writeFileSync(compiled, Buffer.concat([head, data]));
};
