import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CatalogOfTwoReleases } from '../../support/newer-release.ts';
import { startAdmin } from '../../support/admin-harness.ts';
import { Fuse } from '../../support/fuse.ts';
import { expectSpecPage, markdownTable } from '../../support/spec-page.ts';
import type { Operation } from './expectation.ts';
import { sinkOperations, sinkStates } from './sink-operations.ts';
import { sourceOperations, sourceStates } from './source-operations.ts';
import { placeSink, placeSource, type Placed, type World } from './worlds.ts';

let world: World;
const releases = new CatalogOfTwoReleases();

beforeAll(async () => {
  const fuse = new Fuse();
  const harness = await startAdmin((dependencies) =>
    fuse.behind({ ...dependencies, catalog: releases.beside(dependencies.catalog) }),
  );
  world = { fuse, harness };
});

afterAll(async () => {
  await world.harness[Symbol.asyncDispose]();
  // U1: whatever the operations changed, they left what the newer release had written into it.
  if (releases.lost.length > 0) throw new Error(releases.lost.join('\n'));
});

interface Shown {
  readonly state: string;
  readonly version: number | undefined;
}

/** How the object shows itself. */
async function look({ path, collection, id }: Placed): Promise<Shown> {
  const { api } = world.harness;
  const { status, body } = await api.request('GET', path);
  if (status === 404) {
    const deleted = await api.request('GET', `${collection}/deleted`);
    return { state: deleted.text.includes(`"${id}"`) ? 'deleted' : 'absent', version: undefined };
  }
  const { disabled, version } = body as { disabled?: { reason: string }; version: { number: number } };
  const state = disabled === undefined ? 'active' : disabled.reason === 'API' ? 'disabled' : 'auto-disabled';
  return { state, version: version.number };
}

/** What the operation answers, and what has become of the object, in the words of the table. */
async function perform<State extends string>(operation: Operation<State>, placed: Placed): Promise<string> {
  const { api } = world.harness;
  const before = await look(placed);
  const path = operation.path === '..' ? placed.collection : `${placed.path}${operation.path}`;
  const { status, body, text } = await api.request(operation.method, path, operation.body?.(placed.id));
  const { taskId, error } = (body ?? {}) as { taskId?: string; error?: string };
  let answer = error === undefined ? String(status) : `${status} ${error.replace('stream.api.', '')}`;
  if (status >= 500) throw new Error(`${operation.method} ${path}: ${status} ${text}`);
  if (taskId !== undefined) answer = (await isSuccess(taskId)) ? 'task' : 'task fails';
  const after = await look(placed);
  return after.state === before.state && after.version === before.version ? answer : `${answer} → ${after.state}`;
}

async function isSuccess(taskId: string): Promise<boolean> {
  for (;;) {
    const task = await world.harness.api.call<{ status: string }>('GET', `/v1/tasks/${taskId}`);
    if (task.status !== 'processing') return task.status === 'success';
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function nameOf({ method, path, note }: Operation<string>): string {
  const where = path === '..' ? 'to the list' : path;
  return [method, where, note].filter((part) => part !== undefined && part !== '').join(' ');
}

/** One branch for each operation, one object for each state. */
function walk<State extends string>(
  what: {
    readonly firstBranch: number;
    readonly states: readonly State[];
    readonly operations: readonly Operation<State>[];
  },
  place: (at: { readonly branch: number; readonly state: State; readonly id: string }) => Promise<Placed>,
): void {
  for (const [row, operation] of what.operations.entries()) {
    test(nameOf(operation), async () => {
      const found: Record<string, string> = {};
      for (const [column, state] of what.states.entries()) {
        const branch = what.firstBranch + row;
        const placed = await place({ branch, state, id: `b${branch}-s${column}` });
        found[state] = await perform(operation, placed);
        await placed.release();
      }
      expect(found).toEqual(operation.expected);
    });
  }
}

describe('operations on a source, in every state', () => {
  walk({ firstBranch: 100, states: sourceStates, operations: sourceOperations }, (at) => placeSource(world, at));
});

describe('operations on a sink, in every state', () => {
  walk({ firstBranch: 200, states: sinkStates, operations: sinkOperations }, (at) => placeSink(world, at));
});

test('the page shows the tables', async () => {
  const table = <State extends string>(states: readonly State[], operations: readonly Operation<State>[]): string =>
    markdownTable(
      ['operation', ...states],
      operations.map((operation) => [
        `\`${nameOf(operation)}\``,
        ...states.map((state) => operation.expected[state].replace('stream.api.', '')),
      ]),
    );
  await expectSpecPage(
    'operations.md',
    `# Operations by state

What each operation of the [management API](../guides/api.md) does in each state of the object. A cell shows the answer: a status with
the error's name, or \`task\` for 202 and a task that succeeds; behind the arrow, the state that the object is in afterwards. Without an
arrow nothing has changed, and there is no new version. A test performs every cell; this page is made from its tables.

## Sources

Paths go on from \`/v1/branches/{branchId}/sources/{sourceId}\`. _Task running_: another operation on the same source has not ended.

${table(sourceStates, sourceOperations)}

## Sinks

Paths go on from \`…/sources/{sourceId}/sinks/{sinkId}\`. _Auto-disabled_: disabled together with its source, and enabled with it.
The progress of a deleted sink is 404 \`sinkNotFound\` when it has delivered everything.

${table(sinkStates, sinkOperations)}
`,
  );
});
