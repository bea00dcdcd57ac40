/** Makes a process that is started with `--import` of this file end by an error that quotes what it was given. */

process.on('SIGUSR2', () => {
  const text = process.env.TEST_CRASH ?? '';
  throw Object.assign(new TypeError(`Invalid URL: ${text}`), { input: text, code: 'ERR_INVALID_URL' });
});
