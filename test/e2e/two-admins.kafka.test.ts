import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import type { ProductProcess } from '../support/process.ts';
import { standStill } from '../support/stand-still.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

const S = '/v1/branches/default/sources';
const env = { MILLRACE_PUBLIC_INGEST_URL: 'http://ingest.test' };
/** The session of the group's members, the rebalance after it, the heir's patience and its sweep. */
const withinMs = 120_000;

interface Seats {
  readonly active: ProductProcess;
  readonly passive: ProductProcess;
}

interface Task {
  readonly taskId: string;
}

const sinks = (source: string, count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `k${n}`,
    table: { tableId: `in.c-${source}.t${n}`, mapping: { columns: [{ type: 'uuid', name: 'id' }] } },
  }));

const source = (name: string, count: number): object => ({ type: 'http', name, sinks: sinks(name, count) });

describe.skipIf(missing !== undefined)('two processes of the role admin', () => {
  let cluster: Cluster;
  let processes: ProductProcess[];

  beforeAll(async () => {
    cluster = await openCluster();
    processes = [await cluster.start('admin', env), await cluster.start('admin', env)];
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  const api = ({ admin }: ProductProcess): Api => new Api(admin, rootToken);

  /** Who changes things says so: it does not refuse what was passed on to it. */
  async function changes({ admin }: ProductProcess): Promise<boolean> {
    const headers = { 'X-StorageApi-Token': rootToken, 'Millrace-Forwarded-By': 'test' };
    const { status } = await fetch(`${admin}${S}/none/disable`, { method: 'PUT', headers });
    return status === 404;
  }

  /** Once the group has come to rest. */
  async function seats(): Promise<Seats> {
    let found: Seats | undefined;
    await eventually(
      async () => {
        const [first, second] = processes;
        if (first === undefined || second === undefined) throw new Error('two processes are wanted');
        const [a, b] = [await changes(first), await changes(second)];
        expect(a).not.toBe(b);
        found = a ? { active: first, passive: second } : { active: second, passive: first };
      },
      { withinMs },
    );
    if (found === undefined) throw new Error('nobody changes things');
    return found;
  }

  /** Resolves when the process changes things, and has brought to an end what its predecessor began. */
  async function hasTakenOver(heir: ProductProcess, { taskId }: Task): Promise<void> {
    await eventually(
      async () => {
        expect(await api(heir).call('GET', `/v1/tasks/${taskId}`)).toMatchObject({ status: 'error', isFinished: true });
        expect(await changes(heir)).toBe(true);
      },
      { withinMs },
    );
  }

  /** Kills who changes things in the middle of `begin`, and starts another one in its place. */
  async function killInTheMiddleOf(
    begin: (passive: Api) => Promise<Task>,
  ): Promise<{ readonly task: Task; readonly heir: Api }> {
    const { active, passive } = await seats();
    const task = await begin(api(passive));
    active.kill('SIGKILL');
    await active.ended;
    const heir = api(passive);
    await hasTakenOver(passive, task);
    processes = [passive, await cluster.start('admin', env)];
    return { task, heir };
  }

  it('both are ready; what the passive one is asked for is done, and both show it', async () => {
    const { active, passive } = await seats();
    for (const { admin } of [active, passive]) expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
    const { taskId } = (await api(passive).task('POST', S, source('first', 1))) as unknown as Task;
    for (const one of [active, passive]) {
      expect(await api(one).call('GET', `${S}/first/sinks/k0`)).toMatchObject({ sinkId: 'k0' });
      expect(await api(one).call('GET', `/v1/tasks/${taskId}`)).toMatchObject({ status: 'success' });
    }
  });

  it('A28: kill -9 in the middle of a create: nothing half made stays, and it can be asked for again', async () => {
    const { heir } = await killInTheMiddleOf(async (passive) => {
      const task = await passive.call<Task>('POST', S, source('made', 20));
      // Its sinks are made one after the other, each with its table first.
      const made = async (): Promise<void> => {
        const tables = await passive.call<readonly { readonly id: string }[]>('GET', '/v2/storage/tables');
        expect(tables.filter(({ id }) => id.startsWith('in.c-made.')).length).toBeGreaterThan(3);
      };
      await eventually(made);
      return task;
    });
    expect((await heir.request('GET', `${S}/made`)).status).toBe(404);
    await heir.task('POST', S, source('made', 3));
    for (const n of [0, 1, 2])
      expect(await heir.call('GET', `${S}/made/sinks/k${n}`)).toMatchObject({ sinkId: `k${n}` });
  });

  it('A28: kill -9 in the middle of a delete: the heir deletes the rest, and the source can be made again', async () => {
    const { passive } = await seats();
    await api(passive).task('POST', S, source('gone', 20));
    const { heir } = await killInTheMiddleOf(async (asked) => {
      const task = await asked.call<Task>('DELETE', `${S}/gone`);
      // The source goes first, then its sinks.
      const isGone = async (): Promise<void> => expect((await asked.request('GET', `${S}/gone`)).status).toBe(404);
      await eventually(isGone);
      return task;
    });
    await heir.task('POST', S, source('gone', 2));
    const { sinks: left } = await heir.call<{ sinks: readonly unknown[] }>('GET', `${S}/gone/sinks`);
    expect(left).toHaveLength(2);
  });

  it('D3: a process stopped in the middle of a create, for longer than its session, changes nothing of what its heir made', async () => {
    const { active, passive } = await seats();
    const heir = api(passive);
    const task = await heir.call<Task>('POST', S, source('twice', 20));
    await eventually(async () => {
      const tables = await heir.call<readonly { readonly id: string }[]>('GET', '/v2/storage/tables');
      expect(tables.some(({ id }) => id.startsWith('in.c-twice.'))).toBe(true);
    });
    await standStill(active.child.pid as number);
    await hasTakenOver(passive, task);
    // A transaction that the stopped process has open may hold a table until the server ends it: "try again" is the answer meanwhile.
    await eventually(() => heir.task('POST', S, source('twice', 4)), { withinMs });
    const made = await heir.call('GET', `${S}/twice/sinks`);
    active.kill('SIGCONT');
    await eventually(async () => expect(await changes(active)).toBe(false), { withinMs });
    await seats();
    expect(await heir.call('GET', `${S}/twice/sinks`)).toEqual(made);
    expect(await api(active).call('GET', `${S}/twice/sinks`)).toMatchObject({ page: { totalCount: 4 } });
  });
});
