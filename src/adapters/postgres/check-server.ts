import { clockFinding, clockOffset } from '../../core/clock-finding.ts';
import type { Finding } from '../../core/finding.ts';
import type { PostgresConnection } from './client.ts';

interface ServerFacts {
  readonly version: string;
  readonly database: string;
  readonly role: string;
  readonly encoding: string;
  readonly fsync: string;
  readonly pages: string;
  readonly most_connections: string;
  readonly now_ms: string;
}

export interface ServerQuestion {
  /** What the server is used for: `the catalog`. */
  readonly purpose: string;
  /** How many connections a process may open for that. */
  readonly connections: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What catalog and tables both need of a server, in the same words for both. */
export async function serverFindings(
  connection: PostgresConnection,
  { purpose, connections, now }: ServerQuestion,
): Promise<readonly Finding[]> {
  const from = now();
  const { rows } = await connection.query<ServerFacts>(
    `SELECT current_setting('server_version') AS version, current_database() AS database, current_user AS role,
       current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
       current_setting('full_page_writes') AS pages, current_setting('max_connections') AS most_connections,
       extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`,
  );
  const asked = { from, to: now() };
  const [facts] = rows;
  if (facts === undefined) return [];
  const { version, database, role } = facts;
  const answer = `PostgreSQL ${version} answers and is the primary: database "${database}", user "${role}".`;
  return [
    { kind: 'good', about: 'connection', text: answer },
    clockFinding('server', clockOffset(Number(facts.now_ms), asked)),
    durabilityFinding(facts),
    encodingFinding(facts),
    ...roomFindings(facts, { purpose, connections }),
  ];
}

function durabilityFinding({ fsync, pages }: ServerFacts): Finding {
  const off = [...(fsync === 'on' ? [] : ['fsync']), ...(pages === 'on' ? [] : ['full_page_writes'])];
  if (off.length === 0)
    return { kind: 'good', about: 'durability', text: 'What the server has committed survives a power failure.' };
  const text = `${off.join(' and ')} of the server ${off.length === 1 ? 'is' : 'are'} off: a power failure can lose what was committed; switch ${off.length === 1 ? 'it' : 'them'} on.`;
  return { kind: 'bad', about: 'durability', text };
}

function encodingFinding({ database, encoding }: ServerFacts): Finding {
  if (encoding === 'UTF8') return { kind: 'good', about: 'encoding', text: 'The database has the encoding UTF8.' };
  const text = `The database "${database}" has the encoding ${encoding}: make one with the encoding UTF8.`;
  return { kind: 'bad', about: 'encoding', text };
}

function roomFindings(
  { most_connections: most }: ServerFacts,
  { purpose, connections }: Pick<ServerQuestion, 'purpose' | 'connections'>,
): readonly Finding[] {
  if (Number(most) >= 2 * connections) return [];
  const text = `The server takes ${most} connections in all, and each process may open ${connections} for ${purpose}.`;
  return [{ kind: 'advice', about: 'connections', text }];
}
