/** Upstreams that no connection comes about with: each door closed in its own way, and opened again. */

import type { Names } from './resolver.ts';
import type { Scripted } from './upstream.ts';
import { type Wall, wallAt } from './wall.ts';

/**
 * Closes the doors of those whose fault is one. `stuck`: those with whom connecting is to take for ever, each in the way
 * that its fault suggests. `tell` gets the fates of names.
 */
export async function shutDoors(
  upstreams: readonly Scripted[],
  stuck: ReadonlySet<Scripted>,
  tell: (fates: Names) => void,
): Promise<Wall> {
  const fates: { [name: string]: Names[string] } = {};
  const walls: number[] = [];
  for (const upstream of upstreams) {
    const { door, hostname, port } = upstream;
    const waits = stuck.has(upstream);
    if (hostname !== undefined) fates[hostname] = waits ? 'hangs' : 'fails';
    else if (door === 'bad_tls') upstream.close(waits ? 'silent_tls' : 'bad_tls');
    else if (waits || door === 'wall') {
      upstream.close('shut');
      walls.push(port);
    } else if (door === 'shut') upstream.close('shut');
  }
  tell(fates);
  return wallAt(walls);
}

export async function openDoors(
  upstreams: readonly Scripted[],
  wall: Wall,
  tell: (fates: Names) => void,
): Promise<void> {
  await wall.down();
  tell({});
  await Promise.all(upstreams.map(upstream => upstream.open()));
}
