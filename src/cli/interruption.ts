/** The signals that ask a process to leave. */
const leaveSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type LeaveSignal = (typeof leaveSignals)[number];

/** Calls back at the first signal that asks the process to leave; the second one ends the process at once, as without us. */
export function onFirstSignal(callback: (signal: LeaveSignal) => void): Disposable {
  const stop = (): void => {
    for (const signal of leaveSignals) process.off(signal, first);
  };
  const first = (signal: NodeJS.Signals): void => {
    stop();
    callback(leaveSignals.find((known) => known === signal) ?? 'SIGTERM');
  };
  for (const signal of leaveSignals) process.on(signal, first);
  return { [Symbol.dispose]: stop };
}
