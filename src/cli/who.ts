/** Stated, not proven: Node cannot read who is at the other end of a socket. */
export function who(): string {
  return process.env.SUDO_USER ?? process.env.USER ?? 'unknown';
}
