/**
 * What is looked at of a request's head, read from its lines as they came: the record that the server would make of all of
 * them costs more than the rest of the way in. What two HTTP readers could take for two different requests is found here.
 */

import type { IncomingMessage } from 'node:http';

export interface Head {
  /** Why it could be read in two ways. */
  flaw: string | undefined;
  contentLength: string | undefined;
  authorization: string | undefined;
  /** True when a browser sent it for a web page, whose own name then stands in it. */
  ofPage: boolean;
  acceptEncoding: string | undefined;
  session: string | undefined;
  freshness: string | undefined;
  rebroadcast: string | undefined;
}

/** Names are looked at by their length first: few headers of a client have any of these. */
export function readHead(request: IncomingMessage): Head {
  const head: Head = {
    flaw: undefined,
    contentLength: undefined,
    authorization: undefined,
    ofPage: false,
    acceptEncoding: undefined,
    session: undefined,
    freshness: undefined,
    rebroadcast: undefined,
  };
  const { httpVersion, rawHeaders: raw } = request;
  if (request.url?.charCodeAt(0) !== 47) head.flaw = 'the request target must be a path';
  else if (httpVersion !== '1.1' && httpVersion !== '1.0') head.flaw = 'a version that is not HTTP/1';
  let hosts = 0;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') hosts += 1;
        break;
      case 6:
        // An extension of the browser, a wallet say, has an origin of another kind.
        if (name.toLowerCase() === 'origin' && /^https?:|^null$/i.test(value)) head.ofPage = true;
        break;
      case 13: {
        const plain = name.toLowerCase();
        if (plain === 'rpcgw-session') head.session = joined(head.session, value);
        else if (plain === 'authorization') {
          if (head.authorization !== undefined) head.flaw ??= 'more than one Authorization';
          head.authorization = value;
        }
        break;
      }
      case 14:
        if (name.toLowerCase() === 'content-length') head.contentLength = value;
        break;
      case 15: {
        const plain = name.toLowerCase();
        if (plain === 'accept-encoding') head.acceptEncoding = joined(head.acceptEncoding, value);
        else if (plain === 'rpcgw-freshness') head.freshness = joined(head.freshness, value);
        break;
      }
      case 17: {
        const plain = name.toLowerCase();
        if (plain === 'rpcgw-rebroadcast') head.rebroadcast = joined(head.rebroadcast, value);
        else if (plain === 'transfer-encoding') {
          if (value !== 'chunked') head.flaw ??= 'a transfer encoding other than chunked';
          else if (httpVersion !== '1.1') head.flaw ??= 'chunked on HTTP/1.0';
        }
      }
    }
  }
  if (hosts > 1) head.flaw ??= 'more than one Host';
  else if (hosts === 0 && httpVersion === '1.1') head.flaw ??= 'no Host';
  return head;
}

/** Repeated headers are one, as HTTP has it. */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}
