/** A time of a clock that may be behind the one that gave the time before it: no earlier than that. ISO times, of UTC. */
export function notBefore(earlier: string, at: string): string {
  return Date.parse(at) < Date.parse(earlier) ? earlier : at;
}
