/**
 * Seconds of a RetryInfo in `grpc-status-details-bin`, undefined without one. Field 3 of the status has the details; the delay of a
 * RetryInfo is its field 1, whose field 1 are the seconds.
 */
export function retrySeconds(details: string | Buffer | undefined): number | undefined {
  if (!Buffer.isBuffer(details)) return undefined;
  const name = 'google.rpc.RetryInfo';
  const at = details.indexOf(name);
  if (at < 0) return undefined;
  const value = details.subarray(at + name.length);
  // Tag and length of the value, of the delay, then the tag of the seconds.
  return value[5];
}
