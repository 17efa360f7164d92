import { expect, it, beforeEach, afterEach } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Finding } from '../../core/finding.ts';
import { missingServersDocuments } from '../../documents/missing-servers-document.ts';
import { ServerWatch, type NeededServer } from './server-watch.ts';

let world: DeliveryWorld;
let told: string[];
let isAway: boolean;
let findings: readonly Finding[];

beforeEach(async () => {
  world = await DeliveryWorld.open();
  [told, isAway, findings] = [[], false, []];
});
afterEach(() => world[Symbol.asyncDispose]());

const log: NeededServer = {
  name: 'log (kafka)',
  roles: ['ingest', 'map'],
  probe: async () => {
    if (isAway) throw new MillraceError('log.unavailable', 'connect ECONNREFUSED 127.0.0.1:1');
  },
};
const staging: NeededServer = {
  name: 'staging (s3)',
  roles: ['stage'],
  probe: async () => {},
  check: async () => findings,
};

function watch(servers: readonly NeededServer[]): ServerWatch {
  return new ServerWatch({
    servers,
    catalog: world.ports.catalog,
    clock: world.clock,
    member: 'host-1',
    observer: {
      serverMissing: (server, { reason }) => told.push(`${server} missing: ${reason}`),
      serverThere: (server, isBack) => told.push(`${server} ${isBack ? 'back' : 'there'}`),
      serverDoubted: (server, { text }) => told.push(`${server} doubted: ${text}`),
    },
  });
}

async function said(): Promise<readonly string[]> {
  const found = await world.ports.catalog.list({ collection: 'meta', prefix: 'missing-servers/' }, never);
  return found.flatMap(({ value }) => missingServersDocuments.parse(value).servers.map(({ server }) => server));
}

const reason = 'Connect ECONNREFUSED 127.0.0.1:1; nothing listens at that address';

it('L5: a server that never served is missing from the first look on, told once, in the catalog, too, until it serves', async () => {
  isAway = true;
  const servers = watch([log, staging]);
  await servers.begin(never);
  await servers.look(never);
  expect(servers.missing()).toMatchObject([{ server: 'log (kafka)', roles: ['ingest', 'map'] }]);
  expect(servers.missing()[0]?.message).toContain(reason);
  expect(servers.missing(['stage'])).toEqual([]);
  expect(await said()).toEqual(['log (kafka)']);
  isAway = false;
  await servers.look(never);
  expect(servers.missing()).toEqual([]);
  expect(await said()).toEqual([]);
  expect(told.map((line) => line.slice(0, 22)).toSorted()).toEqual([
    'log (kafka) back',
    'log (kafka) missing: C',
    'staging (s3) there',
  ]);
});

it('L5: a server that served is missing once it has not for longer than a restart takes', async () => {
  const servers = watch([log]);
  await servers.begin(never);
  isAway = true;
  for (let seconds = 0; seconds < 30; seconds += 5) {
    world.clock.advance(5000);
    await servers.look(never);
    expect(servers.missing()).toEqual([]);
  }
  world.clock.advance(5000);
  await servers.look(never);
  expect(servers.missing()).toHaveLength(1);
  isAway = false;
  await servers.look(never);
  expect(servers.missing()).toEqual([]);
});

it('L5: what the doctor finds wrong is missing where it prevents work, and else only told', async () => {
  findings = [
    { kind: 'bad', about: 'durability', text: 'fsync is off.' },
    { kind: 'advice', about: 'write', text: 'slow.' },
  ];
  const servers = watch([staging]);
  await servers.begin(never);
  await servers.look(never);
  expect(servers.missing()).toEqual([]);
  expect(told).toContain('staging (s3) doubted: fsync is off.');
  findings = [{ kind: 'bad', about: 'write', text: 'Cannot write an object.' }];
  const other = watch([staging]);
  await other.begin(never);
  await other.look(never);
  expect(other.missing()).toMatchObject([{ server: 'staging (s3)', message: 'Cannot write an object.' }]);
});

it('D8: a look that begins when the process ends waits for no server, whatever its driver does', async () => {
  const deaf: NeededServer = { ...log, probe: () => new Promise(() => undefined) };
  await expect(watch([deaf]).look({ signal: AbortSignal.abort(new Error('it ends')) })).rejects.toThrow('it ends');
});
