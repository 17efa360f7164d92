import { makeBody, type Body } from './bodies.ts';
import { numberHeader } from '../chaos/event.ts';
import type { Dice } from './random.ts';

/** Where the requests go. */
export interface Victim {
  /** Path of a source, with its secret. */
  readonly path: string;
  /** Path of a source to which nobody sends: only inside bodies, where nothing may carry it out. */
  readonly trap: string;
}

/** A request as bytes. */
export interface HostileRequest {
  readonly bytes: Buffer;
  /** Its end can be told from its bytes by the rules of HTTP: an answer comes, and the next request begins behind it. */
  readonly isFramed: boolean;
  readonly number: number;
}

/** Of a request: its events have it among their headers. */
export interface Numbered {
  readonly number: number;
  /** Default: one that a source of plain events may get. */
  readonly body?: Body;
}

const rareVerbs = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE'] as const;
const oddVerbs = ['post', 'P', 'POST\0', 'GET POST', 'CONNECT', 'PRI', 'X'.repeat(9000), ''] as const;
const oddVersions = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.1 ', 'http/1.1', 'HTTP/9', ''] as const;
const queries = [
  '?verbose=true',
  '?verbose=1',
  '?batch=array',
  '?batch=lines',
  '?batch=auto',
  '?batch=path:a',
  '?batch=path:a.b[0]',
  '?batch=off&batch=lines',
  '?batch=nonsense',
  '?batch=%00',
  '?%',
  '?&&=&',
  `?${'a=b&'.repeat(2000)}`,
] as const;
const headerLines = [
  'Accept: text/html',
  'Cookie: a=b',
  'X-Empty:',
  'X-Wide: \xe9\xff',
  'Origin: http://elsewhere.test',
  'Authorization: Bearer x',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Connection: close',
  'Connection: Keep-Alive, Upgrade',
  'Range: bytes=0-',
  'Forwarded: for=1.2.3.4',
  'X-Forwarded-For: 1.2.3.4, ::1',
  'X-Original-URI: /stream/1/a/b',
  'Idempotency-Key: 1',
  'Traceparent: 00-0-0-0',
  'X-Long: ' + 'v'.repeat(6000),
] as const;
/** Lines that make a request one that nobody can take apart. */
const brokenLines = [
  'X-Null: a\0b',
  'No colon',
  'Blank : before',
  ': no name',
  'X-Fold: a\r\n b',
  'Content-Length: -1',
  'Content-Length: 5, 6',
  'Content-Length: +5',
  'Content-Length: 0x10',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nContent-Length: 4',
  'Upgrade: websocket\r\nConnection: Upgrade',
  'X-Lone: a\rb',
  'X-Bare: a\nContent-Length: 3',
  'Host: a\r\nHost: b',
  'X-Huge: ' + 'v'.repeat(70_000),
] as const;

/** A path as a stranger may write it; most often the right one. */
function pathOf(dice: Dice, { path }: Victim): string {
  if (dice.chance(75)) return path;
  return dice.pick([
    '/',
    '*',
    `http://h${path}`,
    path.toUpperCase(),
    `/${path}`,
    `${path}/`,
    `${path}x`,
    path.slice(0, -1),
    path.replaceAll('/', '%2f'),
    path.replace('stream', 'stream/..'),
    `${path}%00`,
    `${path};a=b`,
    `${path}#x`,
    `/${'a'.repeat(12_000)}`,
    '/v1/branches',
    '/health/ready',
    `/stream/${dice.text(1, 8)}/${dice.text(1, 60)}/${dice.text(1, 60)}`,
    '/stream/1/%E0%80/x',
  ]);
}

/** What makes this request's own bytes look like two, to whoever reads its end wrongly. */
function hidden({ trap }: Victim): Buffer {
  return Buffer.from(`\r\n\r\nPOST ${trap} HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}`);
}

function chunks(dice: Dice, bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    const part = bytes.subarray(from, from + dice.number(1, Math.max(1, bytes.length >> 1)));
    const extension = dice.chance(10) ? ';a=b' : '';
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
    from += part.length;
  }
  return Buffer.concat([...parts, Buffer.from(dice.chance(10) ? '0\r\nX-Trailer: a\r\n\r\n' : '0\r\n\r\n')]);
}

/** One request: most are framed well and odd in what they hold, the others break off, lie about their length, or cannot be read. */
export function makeRequest(dice: Dice, victim: Victim, { number, body: made }: Numbered): HostileRequest {
  const { bytes: content, contentType, contentEncoding, below = '' } = made ?? makeBody(dice);
  const body = dice.chance(10) ? Buffer.concat([content, hidden(victim)]) : content;
  const isReadable = !dice.chance(12);
  const verb = dice.chance(isReadable ? 12 : 30) ? dice.pick(isReadable ? rareVerbs : oddVerbs) : 'POST';
  const version = isReadable || dice.chance(70) ? 'HTTP/1.1' : dice.pick(oddVersions);
  const query = dice.chance(25) ? dice.pick(queries) : '';
  const path = pathOf(dice, { ...victim, path: victim.path + below });
  const lines = [`${verb} ${path}${query} ${version}`, 'Host: h', `${numberHeader}: ${number}`];
  for (let more = dice.chance(3) ? dice.number(100, 400) : dice.number(0, 4); more > 0; more -= 1)
    lines.push(dice.chance(60) ? dice.pick(headerLines) : `X-${dice.text(1, 12)}: ${dice.text(0, 40)}`);
  if (contentType !== undefined) lines.push(`Content-Type: ${contentType}`);
  if (contentEncoding !== undefined) lines.push(`Content-Encoding: ${contentEncoding}`);
  if (!isReadable) lines.push(dice.pick(brokenLines));
  const isChunked = dice.chance(20);
  lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const whole = Buffer.concat([head, isChunked ? chunks(dice, body) : body]);
  if (!isReadable) return { bytes: whole, isFramed: false, number };
  if (dice.chance(6)) return { bytes: whole.subarray(0, dice.number(1, whole.length - 1)), isFramed: false, number };
  return { bytes: whole, isFramed: true, number };
}
