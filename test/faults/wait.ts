/** Asks until it is so; false when it never was. */
export async function waitFor(ms: number, ask: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + ms;
  for (;;) {
    if (await ask()) return true;
    if (performance.now() > end) return false;
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** Longer than any attempt, ms. */
export const patienceMs = 9_000;
