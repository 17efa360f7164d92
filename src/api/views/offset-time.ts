/** A time as the interface of jobs shows it: seconds, with the offset of UTC. */
export function offsetTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}
