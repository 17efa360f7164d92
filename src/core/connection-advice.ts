const advices: readonly (readonly [sign: RegExp, advice: string])[] = [
  [/\bECONNREFUSED\b/, 'nothing listens at that address: start the server, or correct host and port in the topology'],
  [
    /\b(ENOTFOUND|EAI_AGAIN)\b/,
    'no address is known for that host name: correct it in the topology, or look at the DNS of this machine',
  ],
  [
    /\b(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|\b[Cc]onnection timeout\b/,
    'nobody answers at that address: correct it in the topology, or look at the network and its firewalls',
  ],
  [
    /\b(ECONNRESET|EPIPE)\b|socket hang up|Client network socket disconnected/,
    'the server hangs up: look whether the port is of that kind of server, and whether only one side wants TLS',
  ],
];

/** What to do about a failure to reach a server, by the signs that drivers leave in its text; undefined for any other. */
export function connectionAdvice(text: string): string | undefined {
  return advices.find(([sign]) => sign.test(text))?.[1];
}

/** The text, with the advice that there is for it at its end. */
export function withConnectionAdvice(text: string): string {
  const advice = connectionAdvice(text);
  return advice === undefined || text.includes(advice) ? text : `${text.replace(/\.$/, '')}; ${advice}.`;
}
