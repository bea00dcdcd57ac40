/** Bytes of bodies that are held in memory, all clients and upstreams together (contract section 2: 256 MiB). */
export class Budget {
  readonly limitBytes: number;
  heldBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** False: there is no room, and nothing was taken. */
  take(bytes: number): boolean {
    if (this.heldBytes + bytes > this.limitBytes) return false;
    this.heldBytes += bytes;
    return true;
  }

  /** For what is there already and cannot be refused: whatever comes next finds less room. */
  owe(bytes: number): void {
    this.heldBytes += bytes;
  }

  give(bytes: number): void {
    this.heldBytes -= bytes;
  }
}
