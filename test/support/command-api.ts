import { runMillrace, type CommandRun, type RunOptions } from './run-millrace.ts';
import { smallApi, type Answers, type SeenRequest } from './small-api.ts';

/** The time of everything that `exampleSource` and the like have. */
export const exampleTime = '2026-01-02T03:04:05.678Z';

export const stamp = { at: exampleTime, by: { type: 'user' } };
export const exampleVersion = { number: 1, hash: '0123456789abcdef', description: 'New source.', ...stamp };

/** Where a list stands that is on one page. */
export const onePage = { limit: 100, totalCount: 1, afterId: '', lastId: '' };

/** An answer about a task with this status. */
export function exampleTask(status: string, rest: object = {}) {
  return {
    taskId: 'api.create.source/1/shop/x',
    type: 'api.create.source',
    url: 'http://127.0.0.1/v1/tasks/api.create.source/1/shop/x',
    status,
    isFinished: status !== 'processing',
    createdAt: exampleTime,
    ...rest,
  };
}

/** The source "shop" of a process whose URL this is. */
export function exampleSource(url: string) {
  return {
    projectId: 1,
    branchId: 1,
    sourceId: 'shop',
    type: 'http',
    name: 'Shop',
    description: '',
    http: { url: `${url}/stream/1/shop/secret` },
    version: exampleVersion,
    created: stamp,
  };
}

/** The sink "orders" of the source "shop". */
export const exampleSink = {
  projectId: 1,
  branchId: 1,
  sourceId: 'shop',
  sinkId: 'orders',
  type: 'table',
  name: 'Orders',
  description: '',
  table: { type: 'keboola', tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } },
  version: exampleVersion,
  created: stamp,
};

/** What came of a command, and what it asked. */
export interface AnsweredRun extends CommandRun {
  readonly seen: readonly SeenRequest[];
}

/** Runs one command against an API of its own that gives these answers. */
export async function runAnswered(
  args: readonly string[],
  answers: (url: string) => Answers,
  options: RunOptions = {},
): Promise<AnsweredRun> {
  await using api = await smallApi(answers);
  const env = { MILLRACE_URL: api.url, MILLRACE_TOKEN: 'root', ...options.env };
  return { ...(await runMillrace(args, { ...options, env })), seen: api.seen };
}
