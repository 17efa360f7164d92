import type { Telemetry } from './telemetry.ts';

/** What is told of the servers that a process needs; every method is quick and never throws. */
export interface ServersObserver {
  /** The server does not serve these roles of the process; `reason` is a sentence. */
  serverMissing(server: string, told: { readonly roles: readonly string[]; readonly reason: string }): void;
  /** It does, for the first time or again. */
  serverThere(server: string, isBack: boolean): void;
  /** Something about it is wrong, and it serves all the same. */
  serverDoubted(server: string, finding: { readonly about: string; readonly text: string }): void;
}

/** Logs and counts servers that are missing. */
export function observeServers({ log, metrics }: Telemetry): ServersObserver {
  const gauge = metrics.gauge('millrace_missing_servers');
  return {
    serverMissing: (server, told) => {
      gauge.set({ server }, 1);
      log.error({ server, ...told }, 'server is missing');
    },
    serverThere: (server, isBack) => {
      gauge.set({ server }, 0);
      if (isBack) log.info({ server }, 'server is there again');
    },
    serverDoubted: (server, finding) => log.warn({ server, ...finding }, 'server is not as it should be'),
  };
}
