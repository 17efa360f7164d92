/** From nothing to everything. `info` has one line per event of the business, never one per event of a client. */
export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
