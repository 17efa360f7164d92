import type { IncomingMessage } from 'node:http';
import { invalidHttp, transferCoding, type Problem } from './problem.ts';

/** What Node's parser lets through though HTTP/1.1 forbids it (RFC 9112, 2.3, 3.2 and 6.1); undefined: nothing. */
export function protocolProblem({ httpVersion, rawHeaders, headers }: IncomingMessage): Problem | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalidHttp('the first line does not end in "HTTP/1.1"');
  const hosts = countOfHosts(rawHeaders);
  if (hosts > 1) return invalidHttp('it has more than one header "Host"');
  if (hosts === 0 && httpVersion === '1.1') return invalidHttp('the header "Host" is missing');
  const coding = headers['transfer-encoding'];
  return coding === undefined || coding.toLowerCase() === 'chunked' ? undefined : transferCoding(coding);
}

function countOfHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
