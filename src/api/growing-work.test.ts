import { expect, test } from 'vitest';
import { startAdmin } from '../../test/support/admin-harness.ts';
import type { ApiDependencies } from './dependencies.ts';

const S = '/v1/branches/default/sources';

/** What was asked of the stores since the count was last taken. */
class Work {
  #documents = 0;
  #descriptions = 0;

  /** The same stores; each document that the catalog answers counts, and each table that is described. */
  counted(dependencies: ApiDependencies): ApiDependencies {
    const { catalog, tables } = dependencies;
    const countedCatalog = {
      get: async (...given: Parameters<typeof catalog.get>) => {
        const found = await catalog.get(...given);
        // How often somebody asks whether a task has ended is a matter of luck.
        if (given[0] !== 'task') this.#documents += found === undefined ? 0 : 1;
        return found;
      },
      list: async (...given: Parameters<typeof catalog.list>) => {
        const found = await catalog.list(...given);
        this.#documents += found.length;
        return found;
      },
      changes: async (...given: Parameters<typeof catalog.changes>) => {
        const found = await catalog.changes(...given);
        this.#documents += found.written.length;
        return found;
      },
    };
    const describeTable = (...given: Parameters<typeof tables.describeTable>) => {
      this.#descriptions += 1;
      return tables.describeTable(...given);
    };
    return { ...dependencies, catalog: over(catalog, countedCatalog), tables: over(tables, { describeTable }) };
  }

  take(): { readonly documents: number; readonly descriptions: number } {
    const taken = { documents: this.#documents, descriptions: this.#descriptions };
    [this.#documents, this.#descriptions] = [0, 0];
    return taken;
  }
}

function over<Store extends object>(store: Store, counted: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(Object.hasOwn(counted, name) ? counted : target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

test('D8: a source or a sink is made, and a page is read, with as many reads among 60 sources as among 10', async () => {
  const work = new Work();
  await using harness = await startAdmin((dependencies) => work.counted(dependencies));
  const { api } = harness;
  const source = async (name: string): Promise<void> =>
    void (await api.task('POST', S, { type: 'http', name, sourceId: name }));
  const sink = async (sourceId: string): Promise<void> => {
    const table = { tableId: `in.c-many.${sourceId}`, mapping: { columns: [{ type: 'body', name: 'body' }] } };
    await api.task('POST', `${S}/${sourceId}/sinks`, { name: 'rows', sinkId: 'rows', table });
  };
  let made = 0;
  const fillUpTo = async (count: number): Promise<void> => {
    for (; made < count; made += 1) {
      await source(`s${made}`);
      await sink(`s${made}`);
    }
  };
  /** Of a source, of its sink, of a first page and of a later one. */
  const reads = async (): Promise<readonly ReturnType<Work['take']>[]> => {
    const name = `s${made}`;
    made += 1;
    const works = [
      () => source(name),
      () => sink(name),
      () => api.call('GET', `${S}?limit=5`),
      () => api.call('GET', `${S}?limit=5&afterId=s2`),
    ];
    const taken: ReturnType<Work['take']>[] = [];
    for (const of of works) {
      work.take();
      await of();
      taken.push(work.take());
    }
    return taken;
  };
  await fillUpTo(10);
  await api.call('GET', S);
  const among10 = await reads();
  await fillUpTo(60);
  for (const [at, { documents, descriptions }] of (await reads()).entries()) {
    // The audit trail ends an entry a little earlier or later.
    expect(Math.abs(documents - (among10[at]?.documents ?? 0))).toBeLessThan(5);
    expect(descriptions).toBe(0);
  }
});
