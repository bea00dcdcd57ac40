import type { Scene } from './scene.ts';

type LinkScene = Pick<Scene, 'link' | 'tick' | 'seenAt' | 'view'>;

/** How long it is said that the daemon is back. */
const saidForMs = 20_000;

/** What the stamp at the right of the first line says of the connection; undefined: nothing to say. */
export function linkText(scene: LinkScene): { readonly text: string; readonly lost: boolean } | undefined {
  const { link, tick, seenAt, view } = scene;
  if (link.is === 'lost') return { text: `lost for ${seconds(tick - link.since)}, reconnecting`, lost: true };
  // The connection stands and nothing comes: stopped, or too busy to answer.
  if (tick - seenAt > 2 * view.intervalMs + 1_000)
    return { text: `silent for ${seconds(tick - seenAt)}`, lost: true };
  const { back } = link;
  if (back === undefined || tick - back.at > saidForMs) return undefined;
  const how = back.restarted ? 'daemon restarted, back' : 'back';
  return { text: `${how} after ${seconds(back.afterMs)}`, lost: false };
}

/** What is shown is old. */
export function isLost(scene: LinkScene): boolean {
  return linkText(scene)?.lost === true;
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))}s`;
}
