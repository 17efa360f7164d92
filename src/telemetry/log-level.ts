/** From nothing to everything. `info` has one line per event of the business, never one per event of a client. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];
