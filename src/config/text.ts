import { readFileSync } from 'node:fs';
import { reason } from './secrets.ts';

/** UTF-8 and nothing else. */
export function readText(path: string): { readonly text: string } | { readonly fault: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    return { fault: reason(error) };
  }
}
