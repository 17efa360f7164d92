const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Milliseconds since the epoch as answers show them. A time that a producer made up ends where four digits of a year do. */
export function isoTime(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), last)).toISOString();
}
