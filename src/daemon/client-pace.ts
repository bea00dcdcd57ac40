/** How often a client may ask: so many calls a second, and a second's worth at once. */

export interface ClientPace {
  /** Takes one call; 0 when it may be made, else ms until it could be. */
  take(client: string, now: number): number;
  /** Takes calls that are made already, those of a batch: who asked too much waits longer afterwards. */
  owe(client: string, calls: number, now: number): void;
}

interface Bucket {
  /** Calls left; under 0: owed. */
  left: number;
  at: number;
}

/** Clients come from address ranges too, and a range can be large. */
const mostClients = 65_536;

/** `perSecond`: undefined for as many as they like. */
export function clientPace(perSecond: number | undefined): ClientPace {
  return perSecond === undefined ? { take: () => 0, owe: () => undefined } : paced(perSecond);
}

function paced(perSecond: number): ClientPace {
  const room = Math.max(1, perSecond);
  const buckets = new Map<string, Bucket>();

  /** The one that asks stands last, so that who has not asked for longest is forgotten first. */
  function bucketOf(client: string, now: number): Bucket {
    const bucket = buckets.get(client) ?? { left: room, at: now };
    bucket.left = Math.min(room, bucket.left + ((now - bucket.at) * perSecond) / 1000);
    bucket.at = now;
    buckets.delete(client);
    const [longest] = buckets.size >= mostClients ? buckets.keys() : [];
    if (longest !== undefined) buckets.delete(longest);
    buckets.set(client, bucket);
    return bucket;
  }

  return {
    take(client, now) {
      const bucket = bucketOf(client, now);
      const waitMs = ((1 - bucket.left) * 1000) / perSecond;
      // Adding up parts of a call leaves a rest that is no time.
      if (waitMs > 1e-6) return Math.ceil(waitMs - 1e-6);
      bucket.left -= 1;
      return 0;
    },
    owe(client, calls, now) {
      bucketOf(client, now).left -= calls;
    },
  };
}
