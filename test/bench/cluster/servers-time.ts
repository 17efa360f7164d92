import { readdir, readFile } from 'node:fs/promises';

/** Programs of the servers that this process has started, by the names that the system has for them. That of S3 is left out. */
const servers = { java: 'Kafka', postgres: 'PostgreSQL' } as const;

export type Server = (typeof servers)[keyof typeof servers];

const microsecondsPerTick = 10_000;

interface Stat {
  readonly id: number;
  readonly parent: number;
  readonly name: string;
  readonly microseconds: number;
}

/**
 * Microseconds of processor time that the servers below this process have used since they were started, with their processes that have
 * ended. Nothing where the machine has no `/proc`, and of servers that somebody else has started.
 */
export async function readServersTime(): Promise<ReadonlyMap<Server, number>> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = (await Promise.all(ids.map(statOf))).filter((stat) => stat !== undefined);
  const children = Map.groupBy(stats, ({ parent }) => parent);
  const times = new Map<Server, number>();
  const walk = (id: number): void => {
    for (const child of children.get(id) ?? []) {
      const server = Object.hasOwn(servers, child.name) ? servers[child.name as keyof typeof servers] : undefined;
      if (server !== undefined) times.set(server, (times.get(server) ?? 0) + child.microseconds);
      walk(child.id);
    }
  };
  walk(process.pid);
  return times;
}

/** Of its own threads, and of its children that have ended. Undefined when it has ended meanwhile. */
async function statOf(id: string): Promise<Stat | undefined> {
  try {
    const line = await readFile(`/proc/${id}/stat`, 'utf8');
    const [open, close] = [line.indexOf('('), line.lastIndexOf(')')];
    const fields = line
      .slice(close + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return {
      id: Number(id),
      parent: fields[1] ?? 0,
      name: line.slice(open + 1, close),
      microseconds: ticks * microsecondsPerTick,
    };
  } catch {
    return undefined;
  }
}

export function serversBetween(
  before: ReadonlyMap<Server, number>,
  after: ReadonlyMap<Server, number>,
): ReadonlyMap<Server, number> {
  return new Map([...after].map(([server, time]) => [server, time - (before.get(server) ?? 0)]));
}
