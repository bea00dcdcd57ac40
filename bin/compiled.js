/**
 * The program as scripts, each with what V8 made of it at the build beside it: neither parsed nor compiled again, short commands
 * answer a fifth to a third sooner, and the daemon is ready sooner (docs/performance.md). Who could write those files could
 * write the scripts.
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { constants, Script } = require('node:vm');
const { crc32 } = require('node:zlib');

const dist = join(__dirname, '..', 'dist');
/** What a script stands in for: files are found from here. */
const home = join(dist, 'rpcgw', 'main.js');
/** Two checksums before what V8 has made, of the script and of that: V8 itself looks at lengths, and runs what is damaged. */
const headBytes = 8;

/** First words of commands that are not in the script of the short ones: they take long, or bring what no other one needs. */
const notShort = ['serve', 'top', 'demo', 'classify', 'docs'];
const ofThose = new RegExp(`^(?:${notShort.join('|')})(?:-[a-z]+)?\\.ts$`);

/** By name: what of `src/cli/`, of all that is loaded when it is asked for, is in it. */
exports.scripts = {
  short: file => !ofThose.test(file),
  daemon: file => file === 'serve.ts',
};

/**
 * The script that can do what is asked; undefined: only the whole program can. A word that looks like a command may be anything, and
 * the whole program can do all of it.
 */
exports.scriptFor = argv => {
  if (argv[2] === 'serve') return 'daemon';
  return argv.some(word => notShort.includes(word)) ? undefined : 'short';
};

function filesOf(name) {
  const script = join(dist, 'script', `${name}.cjs`);
  /** For this V8 alone. */
  return { script, compiled: script.replace(/cjs$/, `${process.versions.v8}-${process.arch}.v8`) };
}

function start(script, text, cachedData) {
  // It is ASCII (`build.js`).
  const made = new Script(text.toString('latin1'), {
    filename: script,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const exported = {};
  made.runInThisContext()(exported, createRequire(home), home);
  // V8 refuses what was made under other flags, and has compiled the script as ever.
  return { ...exported, made, refused: made.cachedDataRejected === true };
}

/** What the script exports; undefined when nothing sound lies there for this V8 and this script. */
exports.load = name => {
  const { script, compiled } = filesOf(name);
  if (!existsSync(compiled)) return undefined;
  const [text, beside] = [readFileSync(script), readFileSync(compiled)];
  if (beside.length < headBytes) return undefined;
  const data = beside.subarray(headBytes);
  const sound = beside.readUInt32LE(0) === crc32(text) && beside.readUInt32LE(4) === crc32(data);
  return sound ? start(script, text, data) : undefined;
};

/** Has the script do some of its work, and keeps what V8 has made of it by then. */
exports.compile = async (name, work) => {
  const { script, compiled } = filesOf(name);
  const text = readFileSync(script);
  const { made, ...exported } = start(script, text, undefined);
  await work(exported);
  const data = made.createCachedData();
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(crc32(text), 0);
  head.writeUInt32LE(crc32(data), 4);
  writeFileSync(compiled, Buffer.concat([head, data]));
};
