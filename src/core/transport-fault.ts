/** Why an attempt brought no HTTP answer, and how far it got: what may follow a broadcast hangs on the latter. */

export type TransportKind =
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'address_refused'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'aborted';

/** Contract 6.3. The order is the order in time. */
export type Reached = 'not_connected' | 'nothing_handed_over' | 'handed_over' | 'answered';

export interface TransportFault {
  readonly kind: TransportKind;
  readonly reached: Reached;
  /** For people; carries no URL beyond the host. */
  readonly message: string;
}
