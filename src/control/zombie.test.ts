import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rootToken, serveAdmin, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { inconsistencies, noTaskRuns } from '../../test/support/admin-state.ts';
import { alwaysAssigned } from '../../test/support/always-assigned.ts';
import { Api } from '../../test/support/api.ts';
import { Fuse } from '../../test/support/fuse.ts';
import type { ApiDependencies } from '../api/dependencies.ts';

const S = '/v1/branches/default/sources';

let fuse: Fuse;
let zombie: AdminHarness;
let heir: ApiDependencies;

beforeEach(async () => {
  fuse = new Fuse();
  zombie = await startAdmin((dependencies) => {
    const assigned = { ...dependencies, sinkLog: alwaysAssigned(dependencies.sinkLog) };
    heir = { ...assigned, config: { ...assigned.config, owner: 'heir' } };
    return fuse.behind(assigned);
  });
});

afterEach(() => zombie[Symbol.asyncDispose]());

const table = (source: string, columns = ['id']): object => ({
  tableId: `in.c-${source}.t`,
  mapping: { columns: columns.map((name) => ({ type: 'uuid', name })) },
});

interface Operation {
  readonly name: string;
  readonly before: (api: Api, source: string) => Promise<unknown>;
  readonly step: (api: Api, source: string) => Promise<unknown>;
  /** What holds once it was done, whoever did it. */
  readonly done: (api: Api, source: string) => Promise<void>;
}

const create = (api: Api, source: string): Promise<unknown> =>
  api.task('POST', S, { type: 'http', name: source, sinks: [{ name: 'k', table: table(source) }] });
const status = async (api: Api, path: string): Promise<number> => (await api.request('GET', path)).status;

const operations: readonly Operation[] = [
  {
    name: 'create a source with a sink',
    before: async () => undefined,
    step: create,
    done: async (api, source) => expect(await status(api, `${S}/${source}/sinks/k`)).toBe(200),
  },
  {
    name: 'create a sink',
    before: (api, source) => api.task('POST', S, { type: 'http', name: source }),
    step: (api, source) => api.task('POST', `${S}/${source}/sinks`, { name: 'k', table: table(source) }),
    done: async (api, source) => expect(await status(api, `${S}/${source}/sinks/k`)).toBe(200),
  },
  {
    name: 'change a mapping',
    before: create,
    step: (api, source) =>
      api.task('PATCH', `${S}/${source}/sinks/k`, {
        table: { ...table(source, ['id', 'more']), tableId: `in.c-${source}-b.t` },
      }),
    done: async (api, source) =>
      expect(await api.call('GET', `${S}/${source}/sinks/k`)).toMatchObject({
        table: { tableId: `in.c-${source}-b.t` },
      }),
  },
  {
    name: 'delete a source',
    before: create,
    step: (api, source) => api.task('DELETE', `${S}/${source}`),
    done: async (api, source) => expect(await status(api, `${S}/${source}`)).toBe(404),
  },
  {
    name: 'delete a source with its tables',
    before: create,
    step: (api, source) => api.task('DELETE', `${S}/${source}?cascade=true`),
    done: async (api, source) => {
      expect(await status(api, `${S}/${source}`)).toBe(404);
      expect(await status(api, `/v2/storage/tables/in.c-${source}.t`)).toBe(404);
    },
  },
  {
    name: 'undelete a source',
    before: async (api, source) => {
      await create(api, source);
      await api.task('DELETE', `${S}/${source}`);
    },
    step: (api, source) => api.task('PUT', `${S}/${source}/undelete`),
    done: async (api, source) => expect(await status(api, `${S}/${source}/sinks/k`)).toBe(200),
  },
  {
    name: 'enable a source',
    before: async (api, source) => {
      await create(api, source);
      await api.task('PUT', `${S}/${source}/disable`);
    },
    step: (api, source) => api.task('PUT', `${S}/${source}/enable`),
    done: async (api, source) => expect(await api.call('GET', `${S}/${source}/sinks/k`)).not.toHaveProperty('disabled'),
  },
];

/** Runs the operation once for each of its writes, with that write on its way while an heir takes the seat and works. */
async function atEveryWrite(
  { before, step }: Operation,
  meanwhile: (api: Api, source: string) => Promise<void>,
  after: (api: Api, source: string) => Promise<void>,
): Promise<number> {
  for (let writes = 0; ; writes += 1) {
    const source = `s${writes}`;
    await before(zombie.api, source);
    fuse.burnAfter(writes, 'pause');
    const asked = step(zombie.api, source).catch((thrown: unknown) => thrown);
    if (!(await fuse.burntOrQuiet(asked, () => noTaskRuns(zombie.dependencies)))) return writes;
    const served = await serveAdmin({ ...heir, config: { ...heir.config, owner: `heir-${writes}` } });
    try {
      const api = new Api(served.base, rootToken);
      await meanwhile(api, source);
      fuse.release();
      await zombie.admin.drain();
      await expect.poll(() => inconsistencies(heir), { interval: 10 }).toEqual([]);
      await after(api, source);
    } finally {
      await served.end();
    }
    await zombie.restart();
  }
}

/** A refusal because the object is there already, or gone already, is an answer, too. */
async function again({ step }: Operation, api: Api, source: string): Promise<void> {
  await step(api, source).catch((thrown: unknown) => {
    if (!/: 404|: 409/.test(String(thrown))) throw thrown;
  });
}

describe('a process that lost the seat and goes on loses and doubles nothing', () => {
  test.each(operations)('$name, with an heir that does the same', async (operation) => {
    const writes = await atEveryWrite(
      operation,
      (api, source) => again(operation, api, source),
      (api, source) => operation.done(api, source),
    );
    expect(writes).toBeGreaterThan(3);
  });

  test('D9: create a source, with an heir that only sweeps: whole or not at all, and it can be asked for again', async () => {
    const [operation] = operations;
    if (operation === undefined) throw new Error('no operation');
    await atEveryWrite(
      operation,
      async () => undefined,
      async (api, source) => {
        const seen = [await status(api, `${S}/${source}`), await status(api, `${S}/${source}/sinks/k`)];
        expect([
          [200, 200],
          [404, 404],
        ]).toContainEqual(seen);
      },
    );
  });

  const deletions = operations.filter(({ name }) => name.startsWith('delete a source'));
  test.each(deletions)('$name, with an heir that has made it again: the later one stays', async (operation) => {
    await atEveryWrite(
      operation,
      async (api, source) => {
        await again(operation, api, source);
        await create(api, source);
      },
      async (api, source) => expect(await status(api, `${S}/${source}/sinks/k`)).toBe(200),
    );
  });

  test('an update of the heir is not overwritten', async () => {
    await create(zombie.api, 's');
    fuse.burnAfter(1, 'pause');
    const asked = zombie.api.task('PATCH', `${S}/s`, { name: 'by the zombie' }).catch((thrown: unknown) => thrown);
    await fuse.burntOrQuiet(asked, () => noTaskRuns(zombie.dependencies));
    const served = await serveAdmin(heir);
    const api = new Api(served.base, rootToken);
    await api.task('PATCH', `${S}/s`, { name: 'by the heir' });
    fuse.release();
    await Promise.all([asked, zombie.admin.drain()]);
    expect(await noTaskRuns(heir)).toBe(true);
    expect(await api.call('GET', `${S}/s`)).toMatchObject({ name: 'by the heir' });
    await served.end();
  });
});
