import type { OperatorError } from '../core/errors.ts';

/** An operator's error as it goes over the socket and as `--json` prints it on stderr. */
export function errorObject(error: OperatorError): { error: Record<string, unknown> } {
  return {
    error: { code: error.code, message: error.message, why: error.why, next: error.next, exit: error.exit },
  };
}
