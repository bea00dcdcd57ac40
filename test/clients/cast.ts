import { createRequire } from 'node:module';

/** The program itself: the package's own launcher would be one process more. */
export const castFile = createRequire(import.meta.url).resolve(
  `@foundry-rs/cast-${process.platform === 'darwin' ? 'darwin' : 'linux'}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}/bin/cast`,
);
