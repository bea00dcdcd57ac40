/** `rpcgw endpoint show`: everything about one endpoint that is no secret. */

import type { Handlers } from '../api/server.ts';
import { weightBound } from '../core/weight.ts';
import type { Desk } from './admin-desk.ts';
import { eventRow } from './admin-history.ts';
import { endpointStatus, timeFrom } from './status.ts';

const lastEvents = 20;

export function showHandlers(desk: Desk): Pick<Handlers, 'endpointShow'> {
  const { store, clock } = desk.facts;
  return {
    async endpointShow({ chain: chainName, name }) {
      const chain = desk.chain(chainName);
      const member = desk.member(chain, name);
      const { record } = member;
      const { settings, identity } = record;
      const wall = clock.wall();
      const iso = (at: number): string => new Date(at).toISOString();
      const time = timeFrom(clock);
      const added = store.endpoints
        .all()
        .find(
          each => each.chain === chainName && each.settings.name === name && settings.origin === 'runtime',
        );
      const overrides = store.overrides
        .all()
        .filter(each => each.chain === chainName && each.endpoint === name)
        .filter(({ until }) => until === undefined || until > wall);
      const events = await store.events.list({ chain: chainName, endpoint: name, limit: lastEvents });
      return {
        now: iso(wall),
        endpoint: endpointStatus(chain, member, desk.statusFacts),
        settings: {
          weight: settings.weight,
          history: settings.history,
          roles: [...settings.roles],
          broadcast: settings.broadcast,
          labels: { ...settings.labels },
          maxInFlight: settings.maxInFlight,
          rps: settings.rps ?? null,
          allowPrivate: settings.allowPrivate,
          disabled: settings.disabled,
          headers: Object.keys(settings.headers),
        },
        addedAt: added === undefined ? null : iso(added.addedAt),
        overrides: overrides.map(({ what, value, madeAt, until }) => ({
          what,
          value,
          since: iso(madeAt),
          until: until === undefined ? null : iso(until),
        })),
        weightBound: weightBound(
          settings,
          chain.pool.records.map(each => each.settings),
        ),
        identity: { state: identity.state, claims: identity.claims === '' ? null : identity.claims },
        unsupported: [...record.unsupported].map(([method, until]) => ({ method, until: time(until) })),
        events: events.map(eventRow),
      };
    },
  };
}
