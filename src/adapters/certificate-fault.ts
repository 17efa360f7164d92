const certificateFault = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** True when the failure, or what caused it, is a certificate that is not trusted or belongs to another host. */
export function isCertificateFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && typeof thrown.code === 'string' && certificateFault.test(thrown.code)) return true;
  return isCertificateFault(thrown.cause);
}
