import type { Plan } from '../api/advice-shapes.ts';

/** A line a change: what is or would be taken over, then what needs a restart. */
export function planText({ changes, text }: Plan): string {
  const now = changes.filter(change => !change.needsRestart).map(change => `  ${change.text}`);
  const later = changes.filter(change => change.needsRestart).map(change => `  ! ${change.text}`);
  return [text, ...now, ...later].join('\n');
}
