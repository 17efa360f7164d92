import type { Task } from '../../../core/task.ts';
import type { Change } from '../../../control/audit/change.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import type { ApiErrorName } from '../../errors/api-errors.ts';
import { defineChange, type Method, type Route } from '../../route/route.ts';
import type { ObjectKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export interface TaskRouteSpec<Key> {
  /** What is done, as the name of the operation begins. */
  readonly operation: string;
  readonly method: Method;
  /** Behind the path of the object. */
  readonly path: string;
  readonly summary: string;
  readonly refuses?: readonly ApiErrorName[];
  readonly start: (
    context: ApiContext,
    what: { readonly key: Key; readonly change: Change },
    options: Waiting,
  ) => Promise<Task>;
}

/** A change of one object that needs nothing but its name, and goes on as a task. */
export function taskRoute<Path, Key>(
  kind: ObjectKind<Path, Key>,
  { operation, path, start, ...description }: TaskRouteSpec<Key>,
): Route {
  return defineChange({
    ...description,
    path: `${kind.path}${path}`,
    access: 'write',
    operationId: `${operation}${kind.name}`,
    params: kind.params,
    responses: taskResponse,
    handle: async ({ params }, context, { change, signal }) =>
      taskReply(context, await start(context, { key: kind.keyOf(params), change }, { signal })),
  });
}
