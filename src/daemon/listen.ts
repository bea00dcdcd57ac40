import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Address, hostPort } from '../config/hosts.ts';
import { OperatorError } from '../core/errors.ts';

/** Resolves with the URL that leads there; port 0 has become a real one. */
export function listen(server: Server, { host, port }: Address): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error => {
      const next = ['is another program there? set a free port in the config'];
      reject(
        new OperatorError('listen_failed', `cannot listen on ${hostPort(host, port)}`, {
          why: [error.message],
          next,
        }),
      );
    });
    server.listen(port, host, () => {
      // An address was listened on, so it is one of a network socket.
      const { port: taken } = server.address() as AddressInfo;
      resolve(`http://${hostPort(host, taken)}`);
    });
  });
}
