import { checkSchemaRegistry } from '../../adapters/schema-registry/check-registry.ts';
import type { Role } from '../../config/topology/role.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { StagingMark } from '../../stages/claims/staging-mark.ts';
import type { NeededServer } from '../../stages/servers/server-watch.ts';
import type { Ports } from '../composition/ports.ts';
import { storesOf } from '../stores/stores.ts';
import { systemClock } from '../system-clock.ts';

export interface WatchedProcess {
  readonly topology: ClusterTopology;
  readonly roles: ReadonlySet<Role>;
  readonly ports: Ports;
  readonly tables: TableStore | undefined;
  readonly clientId: string;
  readonly tempDir: string;
}

/** Roles that work with each part. Ingest reads the catalog when it starts, and goes on without it. */
const users = {
  log: ['ingest', 'map', 'stage', 'import', 'work', 'admin'],
  catalog: ['map', 'stage', 'import', 'work', 'admin'],
  staging: ['stage', 'import', 'admin'],
  tables: ['import', 'work', 'admin'],
  schemaRegistry: ['map'],
} as const satisfies Readonly<Record<string, readonly Role[]>>;

/**
 * The servers that the roles of a process need, with how each is asked. The doctor's look at the log makes a topic, so
 * that is not done here again and again; of staging it writes an object, which only the role stage needs to be able to.
 */
export function watchedServers({ topology, roles, ports, tables, ...opened }: WatchedProcess): readonly NeededServer[] {
  const stores = storesOf(topology);
  const examination = (signal: AbortSignal) => ({ ...opened, now: systemClock.now(), signal });
  const { catalog, sourceLog, objects } = ports;
  const { schemaRegistry } = topology;
  const of = (part: keyof typeof users): readonly Role[] => users[part].filter((role) => roles.has(role));
  const mark = new StagingMark(objects);
  const servers: readonly NeededServer[] = [
    { name: stores.log.name, roles: of('log'), probe: (waiting) => sourceLog.location(waiting) },
    {
      name: stores.catalog.name,
      roles: of('catalog'),
      probe: (waiting) => catalog.get('meta', 'installation', waiting),
      check: ({ signal }) => stores.catalog.check(examination(signal)),
    },
    {
      name: stores.staging.name,
      roles: of('staging'),
      probe: (waiting) => mark.claimant(waiting),
      ...(roles.has('stage') ? { check: ({ signal }) => stores.staging.check(examination(signal)) } : {}),
    },
    {
      name: stores.tables.name,
      roles: of('tables'),
      probe: async (waiting) => tables?.claimant(waiting),
      check: ({ signal }) => stores.tables.check(examination(signal)),
    },
    ...(schemaRegistry === undefined
      ? []
      : [
          {
            name: 'schema registry',
            roles: of('schemaRegistry'),
            probe: async () => undefined,
            check: (waiting) => checkSchemaRegistry(schemaRegistry, waiting),
          } satisfies NeededServer,
        ]),
  ];
  return servers.filter(({ roles }) => roles.length > 0);
}
