import { readFileSync } from 'node:fs';
import { OperatorError } from '../core/errors.ts';

/** A group's number: as given, or looked up by its name. */
export function groupIdOf(group: string | number): number {
  if (typeof group === 'number') return group;
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find(each => each.startsWith(`${group}:`));
  const id = Number(line?.split(':')[2]);
  if (line !== undefined && Number.isInteger(id)) return id;
  throw new OperatorError('config_invalid', `socketGroup: there is no group ${group} on this host`, {
    next: [`groupadd --system ${group}`],
  });
}
