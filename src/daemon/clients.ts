/** Who may use the data listener (contract section 2): keys taken as `Authorization: Bearer`, or addresses. */

import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';

export interface ClientRules {
  readonly keys: readonly { readonly name: string; readonly key: string }[];
  readonly cidrs: readonly string[];
}

export interface Clients {
  /** The client's name for logs and pinning, or undefined when it may not come in. */
  admit(authorization: string | undefined, address: string | undefined): string | undefined;
}

/** Without rules everybody on the (loopback) listener is welcome. */
export function clients(rules: ClientRules | undefined): Clients {
  if (rules === undefined) return { admit: () => 'anyone' };
  const known = rules.keys.map(({ name, key }) => ({ name, digest: digest(key) }));
  const list = new BlockList();
  for (const cidr of rules.cidrs) {
    const [net = '', bits] = cidr.split('/');
    const kind = isIPv6(net) ? 'ipv6' : 'ipv4';
    list.addSubnet(net, bits === undefined ? (kind === 'ipv6' ? 128 : 32) : Number(bits), kind);
  }
  return {
    admit(authorization, address) {
      const token = authorization === undefined ? undefined : /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      if (token !== undefined) {
        // Digests are of one length, and every key is compared, so that time tells nothing.
        const given = digest(token);
        let found: string | undefined;
        for (const { name, digest: expected } of known) if (timingSafeEqual(given, expected)) found = name;
        if (found !== undefined) return found;
      }
      if (address === undefined) return undefined;
      const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
      return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4') ? plain : undefined;
    },
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
