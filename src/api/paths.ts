/** Where each route of the admin API is. Apart from the shapes, so that a command that only asks loads no schemas. */

export interface Place {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
}

export const paths = {
  status: { verb: 'GET', path: '/v1/status' },
  statusStream: { verb: 'GET', path: '/v1/status/stream' },
  endpointShow: { verb: 'GET', path: '/v1/endpoint' },
  endpointAdd: { verb: 'POST', path: '/v1/endpoint/add' },
  endpointSet: { verb: 'POST', path: '/v1/endpoint/set' },
  endpointDrain: { verb: 'POST', path: '/v1/endpoint/drain' },
  endpointEnable: { verb: 'POST', path: '/v1/endpoint/enable' },
  endpointDisable: { verb: 'POST', path: '/v1/endpoint/disable' },
  endpointRemove: { verb: 'POST', path: '/v1/endpoint/remove' },
  test: { verb: 'POST', path: '/v1/test' },
  call: { verb: 'POST', path: '/v1/call' },
  explain: { verb: 'POST', path: '/v1/explain' },
  trace: { verb: 'GET', path: '/v1/trace' },
  report: { verb: 'GET', path: '/v1/report' },
  events: { verb: 'GET', path: '/v1/events' },
  eventsStream: { verb: 'GET', path: '/v1/events/stream' },
  broadcasts: { verb: 'GET', path: '/v1/broadcasts' },
  broadcastShow: { verb: 'GET', path: '/v1/broadcasts/show' },
  broadcastSettle: { verb: 'POST', path: '/v1/broadcasts/settle' },
  auditList: { verb: 'GET', path: '/v1/audit' },
  auditVerify: { verb: 'GET', path: '/v1/audit/verify' },
  plan: { verb: 'GET', path: '/v1/plan' },
  reload: { verb: 'POST', path: '/v1/reload' },
  logLevel: { verb: 'POST', path: '/v1/log-level' },
  doctor: { verb: 'GET', path: '/v1/doctor' },
  health: { verb: 'GET', path: '/v1/health' },
} as const satisfies Record<string, Place>;
