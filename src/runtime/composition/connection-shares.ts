import { readFile } from 'node:fs/promises';

/** More than one process serves well. */
const mostOfIngest = 200_000;
/** More than people and programs need, or agents with one connection each, and few enough to leave ingest its share of the files. */
const mostOfOthers = 5000;

/** Connections that listeners take at a time. */
export interface ConnectionShares {
  readonly ingest: number;
  readonly admin: number;
  readonly otlpGrpc: number;
}

/** What the log, the tables, staging and connections to servers have at least, and of all files. */
const ownFiles = { least: 256, part: 1 / 4 } as const;
/** Of what is left, for each of the others; so that the admin listener answers when ingest is full. */
const otherPart = 1 / 8;
const leastConnections = 16;

/** Those of ingest as they are wanted, as far as the files allow that the process may have open; undefined: nobody knows how many. */
export function connectionShares(files: number | undefined, wanted = mostOfIngest): ConnectionShares {
  if (files === undefined) return { admin: mostOfOthers, otlpGrpc: Math.min(wanted, mostOfOthers), ingest: wanted };
  const free = files - Math.max(ownFiles.least, Math.floor(files * ownFiles.part));
  const other = Math.min(mostOfOthers, Math.max(leastConnections, Math.floor(free * otherPart)));
  const ingest = Math.min(wanted, Math.max(leastConnections, free - 2 * other));
  return { admin: other, otlpGrpc: Math.min(wanted, other), ingest };
}

/** How many files this process may have open (`ulimit -n`); undefined where the system does not say. */
export async function mostOpenFiles(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const found = /^Max open files +([0-9]+) /m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}
