import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { NoAnswer } from '../../ports/http-client.ts';
import { isCertificateFault } from '../certificate-fault.ts';
import { systemCode } from '../system-code.ts';

export function noAnswer(why: NoAnswer, text: string, cause?: unknown): MillraceError {
  return new MillraceError('http.noAnswer', text, { cause, details: { why } });
}

/** What became of the attempt to connect to a host. */
export function fromConnecting(thrown: unknown, host: string): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  const code = codeOf(thrown);
  const text = messageOf(thrown);
  if (isCertificateFault(thrown))
    return noAnswer('untrusted', `the certificate of "${host}" is not trusted: ${text}`, thrown);
  if (isTlsFault(code, text)) return noAnswer('tls', `no TLS connection to "${host}": ${text}`, thrown);
  if (unresolved.has(code)) return noAnswer('unresolved', `the name "${host}" is not resolved: ${code}`, thrown);
  if (code === 'ETIMEDOUT') return noAnswer('timeout', `no connection to "${host}" in time: ${text}`, thrown);
  return noAnswer('unconnected', `no connection to "${host}": ${text}`, thrown);
}

/** What became of a request on a connection; `isAnswering`: its head had come. */
export function fromExchange(thrown: unknown, host: string, isAnswering: boolean): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  const code = codeOf(thrown);
  const text = messageOf(thrown);
  if (unsendable.has(code)) return new MillraceError('input.invalid', `the request cannot be sent: ${text}`);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return tooLarge(`the headers of the answer of "${host}" are too large`);
  if (isTlsFault(code, text)) return noAnswer('tls', `no TLS connection to "${host}": ${text}`, thrown);
  if (code === 'UND_ERR_SOCKET' && !isAnswering)
    return noAnswer('empty', `"${host}" closed the connection without an answer`, thrown);
  return noAnswer('broken', `the answer of "${host}" broke off: ${text}`, thrown);
}

export function tooLarge(text: string): MillraceError {
  return new MillraceError('http.tooLarge', text);
}

export function refused(text: string): MillraceError {
  return new MillraceError('http.refused', text);
}

/** Headers that no request can have, or that say otherwise than its body. */
const unsendable: ReadonlySet<string> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

const unresolved: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'EAI_NONAME',
  'ENODATA',
  'ESERVFAIL',
]);

/** Also of the failure behind a failure with several causes, which is the same for all addresses of a name more often than not. */
function codeOf(thrown: unknown): string {
  const own = systemCode(thrown);
  if (own !== undefined) return own;
  return thrown instanceof AggregateError ? (systemCode(thrown.errors.at(-1)) ?? '') : '';
}

function isTlsFault(code: string, text: string): boolean {
  return /^ERR_SSL_|^ERR_TLS_|^EPROTO$/.test(code) || text.includes('before secure TLS connection');
}
