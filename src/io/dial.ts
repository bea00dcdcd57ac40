/**
 * One connection to one endpoint: name, address check, TCP, TLS, all under one time limit. The check sits inside the
 * lookup that the socket itself uses, so that the addresses checked are the addresses connected to, and a name that
 * changes a moment later gains nothing.
 */

import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction, connect as plainConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { Clock } from '../gateway/ports.ts';
import { codeOf, DialError } from './faults.ts';

/** All addresses of a name; called back later, once. */
export type Resolve = (
  hostname: string,
  answer: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** The system's own resolver, hosts file included. */
export const systemResolve: Resolve = (hostname, answer) => {
  // On an error there are none, whatever its type says.
  lookup(hostname, { all: true }, (error, addresses) => answer(error, error === null ? addresses : []));
};

export interface DialOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** Why an address may not be connected to. */
  readonly forbidden: (address: string) => string | undefined;
  /** PEM; in place of the roots of the runtime. */
  readonly ca: string | undefined;
}

export interface Dialing {
  /** No connection comes of it any more, and nobody is called back. */
  cancel(): void;
}

export type Dial = (done: (...outcome: [null, Socket] | [DialError, null]) => void) => Dialing;

const keepAliveProbeMs = 60_000;

export function dialer(url: URL, options: DialOptions): Dial {
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = isIP(hostname) !== 0;
  const secure = url.protocol === 'https:';
  const barred = literal ? refusal(url.host, hostname, options.forbidden) : undefined;
  const base = {
    host: hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    lookup: checkedLookup(url.host, options),
    // Asked for in words, so that `lookup` always gets to see and check all addresses.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(options.timeoutMs / 4)),
  };
  const security = {
    ca: options.ca,
    // An IP address is no server name (RFC 6066); the certificate is then held against the address.
    ...(literal ? {} : { servername: hostname }),
    // In words, because an environment variable can turn the default off.
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  };
  let session: Buffer | undefined;

  return done => {
    if (barred !== undefined) {
      let wanted = true;
      process.nextTick(() => {
        if (wanted) done(barred, null);
      });
      return {
        cancel() {
          wanted = false;
        },
      };
    }

    let settled = false;
    let connected = false;
    const fail = (error: DialError): void => {
      if (settled) return;
      settled = true;
      timer.cancel();
      socket.destroy();
      done(error, null);
    };
    const timer = options.clock.after(options.timeoutMs, () => {
      fail(new DialError('connect_timeout', `${url.host}: no connection within ${options.timeoutMs} ms`));
    });

    const socket = secure ? startTls() : plainConnect(base);
    socket.once('connect', () => {
      connected = true;
      if (!secure) succeed();
    });
    // Stays on the socket for good: an error with nobody listening would end the process.
    socket.on('error', error => fail(told(url.host, error, connected)));
    socket.setNoDelay(true).setKeepAlive(true, keepAliveProbeMs);

    function startTls(): Socket {
      const tls = tlsConnect({ ...base, ...security, ...(session === undefined ? {} : { session }) });
      tls.on('session', ticket => {
        session = ticket;
      });
      tls.once('secureConnect', () => {
        // Over HTTP/2 the client may send a refused stream again. It is not offered; a peer that takes it all the same
        // gets nothing.
        if (tls.alpnProtocol === 'h2') fail(new DialError('tls', `${url.host}: took HTTP/2 unasked`));
        else succeed();
      });
      return tls;
    }

    function succeed(): void {
      if (settled) return;
      settled = true;
      timer.cancel();
      done(null, socket);
    }

    return {
      cancel() {
        if (settled) return;
        settled = true;
        timer.cancel();
        socket.destroy();
      },
    };
  };
}

/** Requests that come together share one question to the resolver: the system answers only a few at a time. */
function checkedLookup(shown: string, options: DialOptions): LookupFunction {
  type Answer = Parameters<LookupFunction>[2];
  let waiting: Answer[] | undefined;
  return (hostname, _, answer) => {
    if (waiting !== undefined) {
      waiting.push(answer);
      return;
    }
    const asking = [answer];
    waiting = asking;
    options.resolve(hostname, (error, addresses) => {
      waiting = undefined;
      const fault =
        error !== null
          ? new DialError('dns', `${shown}: name not resolved (${codeOf(error)})`)
          : addresses.length === 0
            ? new DialError('dns', `${shown}: the name has no address`)
            : firstRefusal(shown, addresses, options.forbidden);
      for (const each of asking) each(fault ?? null, [...addresses]);
    });
  };
}

/** One forbidden address among several refuses the name: whoever controls it would have the choice otherwise. */
function firstRefusal(
  shown: string,
  addresses: readonly LookupAddress[],
  forbidden: DialOptions['forbidden'],
): DialError | undefined {
  for (const { address } of addresses) {
    const error = refusal(shown, address, forbidden);
    if (error !== undefined) return error;
  }
  return undefined;
}

function refusal(shown: string, address: string, forbidden: DialOptions['forbidden']): DialError | undefined {
  const why = forbidden(address);
  if (why === undefined) return undefined;
  return new DialError(
    'address_refused',
    `${shown}: its address ${address} is ${why}; allowPrivate is not set`,
  );
}

function told(shown: string, error: Error, connected: boolean): DialError {
  if (error instanceof DialError) return error;
  const code = codeOf(error);
  if (connected) return new DialError('tls', `${shown}: TLS failed (${code})`);
  if (code === 'ECONNREFUSED') return new DialError('connect_refused', `${shown}: connection refused`);
  if (code === 'ETIMEDOUT') return new DialError('connect_timeout', `${shown}: no connection (${code})`);
  return new DialError('connect_refused', `${shown}: cannot be reached (${code})`);
}
