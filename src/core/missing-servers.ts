/** Servers that one process cannot use, as it says in the catalog. Document `missing-servers/<process>` of the collection `meta`. */
export interface MissingServers {
  /** Name of the process, for people. */
  readonly process: string;
  readonly servers: readonly MissingServer[];
  /** ISO time: when the process said so last. */
  readonly at: string;
}

export interface MissingServer {
  /** Part of the topology, with what it is: `log (kafka)`. */
  readonly server: string;
  /** Roles of the process that need it. */
  readonly roles: readonly string[];
  readonly message: string;
  /** ISO time. */
  readonly since: string;
}

/** How often a process says again that it still cannot. */
export const saidEveryMs = 30_000;

/** True when the process has not said it again for too long: it is gone, or cannot reach the catalog either. */
export function isUnsaid({ at }: Pick<MissingServers, 'at'>, now: number): boolean {
  return Date.parse(at) + 2.5 * saidEveryMs < now;
}
