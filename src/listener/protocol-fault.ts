import type { IncomingMessage } from 'node:http';

/** Why a request is not one of HTTP/1.1: `reason` ends the sentence "The request is not valid HTTP/1.1: …". */
export type ProtocolFault =
  { readonly kind: 'invalid'; readonly reason: string } | { readonly kind: 'coding'; readonly coding: string };

type RequestHead = Pick<IncomingMessage, 'httpVersion' | 'rawHeaders' | 'headers'>;

/** What Node's parser lets through though HTTP/1.1 forbids it (RFC 9112, 2.3, 3.2 and 6.1); undefined: nothing. */
export function protocolFault({ httpVersion, rawHeaders, headers }: RequestHead): ProtocolFault | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalid('the first line does not end in "HTTP/1.1"');
  const hosts = countOfHosts(rawHeaders);
  if (hosts > 1) return invalid('it has more than one header "Host"');
  if (hosts === 0 && httpVersion === '1.1') return invalid('the header "Host" is missing');
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? undefined : { kind: 'coding', coding };
}

function invalid(reason: string): ProtocolFault {
  return { kind: 'invalid', reason };
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
