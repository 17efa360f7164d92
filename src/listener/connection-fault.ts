/** What Node's HTTP server says about a connection that it cannot go on with. */
export type ConnectionError = Error & { readonly code?: string; readonly reason?: string };

/** The same in our words: `reason` ends the sentence "The request is not valid HTTP/1.1: …". */
export type ConnectionFault =
  | { readonly kind: 'headersTooLarge' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'invalid'; readonly reason: string };

export function connectionFault({ code = '', reason, message }: ConnectionError): ConnectionFault {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { kind: 'headersTooLarge' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { kind: 'timeout' };
    case 'HPE_INVALID_EOF_STATE':
      return { kind: 'invalid', reason: 'the connection ended in the middle of it' };
    default:
      return { kind: 'invalid', reason: reason ?? message.replace(/^Parse Error: /, '') };
  }
}
