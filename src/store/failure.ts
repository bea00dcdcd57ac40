import { OperatorError } from '../core/errors.ts';

/** What a code of SQLite or of the file system says about the state folder, longest prefix first. */
const faults: readonly (readonly [prefix: string, text: string, next: string])[] = [
  ['SQLITE_READONLY', 'it cannot be written', 'make the folder and its files writable for the user of rpcgw'],
  ['SQLITE_CANTOPEN', 'it cannot be opened', 'make the folder and its files writable for the user of rpcgw'],
  ['SQLITE_PERM', 'it cannot be opened', 'make the folder and its files writable for the user of rpcgw'],
  ['SQLITE_FULL', 'the disk is full', 'free space on the disk that holds it'],
  ['SQLITE_BUSY', 'another process holds a lock on it', 'end the program that has rpcgw.db open'],
  ['SQLITE_LOCKED', 'another process holds a lock on it', 'end the program that has rpcgw.db open'],
  ['SQLITE_PROTOCOL', 'another process holds a lock on it', 'end the program that has rpcgw.db open'],
  ['SQLITE_NOTADB', 'rpcgw.db is no database', 'move the file away, or restore a copy of it'],
  ['SQLITE_CORRUPT', 'the database is damaged', 'restore a copy of rpcgw.db, and check the disk'],
  ['SQLITE_IOERR', 'the disk reports an error', 'check the disk that holds it'],
  ['SQLITE_NOMEM', 'there is too little memory', 'give the process more memory'],
  ['EACCES', 'there is no permission', 'make the folder and its files writable for the user of rpcgw'],
  ['EPERM', 'there is no permission', 'make the folder and its files writable for the user of rpcgw'],
  ['EROFS', 'the file system is read-only', 'choose another dataDir, or mount it writable'],
  ['ENOSPC', 'the disk is full', 'free space on the disk that holds it'],
  ['EDQUOT', 'the disk quota is used up', 'free space on the disk that holds it'],
  ['ENOTDIR', 'a part of the path is no folder', 'choose another dataDir'],
  ['EEXIST', 'a part of the path is no folder', 'choose another dataDir'],
];

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * True when the store as a whole cannot be written now. Everything else (a constraint, a value that cannot be bound)
 * is about one write, and must not hold up the others.
 */
export function isStoreWide(error: unknown): boolean {
  const code = codeOf(error);
  return faults.some(([prefix]) => code.startsWith(prefix));
}

/** One line for people. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const fault = faults.find(([prefix]) => code.startsWith(prefix));
  const message = error instanceof Error ? error.message : String(error);
  return fault === undefined ? message : `${fault[1]} (${code})`;
}

/** What `serve` ends with when the state in `dir` cannot be used. */
export function unusable(dir: string, error: unknown): OperatorError {
  if (error instanceof OperatorError) return error;
  const code = codeOf(error);
  const fault = faults.find(([prefix]) => code.startsWith(prefix));
  return new OperatorError('store_unusable', `the state in ${dir} cannot be used: ${reasonOf(error)}`, {
    why: ['without it no broadcast could be recorded before it is sent'],
    next: fault === undefined ? [] : [fault[2]],
  });
}
