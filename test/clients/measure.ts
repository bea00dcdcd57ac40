import { evmRows } from './evm.ts';
import type { Row } from './session.ts';
import { solanaRows } from './solana.ts';
import { stubbedRows } from './stubbed.ts';

/** All libraries, or those of these names. Needs the built program. */
export async function measure(only: readonly string[]): Promise<Row[]> {
  const wanted = (name: string): boolean => only.length === 0 || only.includes(name);
  return [...(await evmRows(wanted)), ...(await solanaRows(wanted)), ...(await stubbedRows(wanted))];
}
