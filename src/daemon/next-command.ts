/** What to type about a gate: its words of what to do, with the command that does it. */

import type { Gate, GateName } from '../core/gates.ts';

type Where = { readonly chain: string; readonly name: string; readonly origin: 'file' | 'runtime' };

const show = ({ chain, name }: Where): string => `rpcgw endpoint show ${chain} ${name}`;
const enable = ({ chain, name }: Where): string => `rpcgw endpoint enable ${chain} ${name}`;

const commands: Partial<Record<GateName, (where: Where) => string>> = {
  wrong_network: ({ chain, name, origin }) =>
    origin === 'file' ? 'rpcgw reload' : `rpcgw endpoint remove ${chain} ${name}`,
  circuit: show,
  disabled: enable,
  draining: enable,
  weight_zero: ({ chain, name }) => `rpcgw endpoint set ${chain} ${name} --reset`,
};

/** Null: nothing can be done. */
export function nextFor({ name, next }: Pick<Gate, 'name' | 'next'>, where: Where): string | null {
  const command = commands[name]?.(where);
  if (command === undefined) return next === '' ? null : next;
  // Some words are a command already.
  return next === '' || next.includes('rpcgw ') ? command : `${next}: ${command}`;
}
