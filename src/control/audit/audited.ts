import { Change, type ChangeParts, type ChangeRequest } from './change.ts';

export interface AuditedRequest<Result> extends ChangeRequest {
  /** Does what was asked for, or starts the task that does. */
  readonly make: (change: Change) => Promise<Result>;
  /** What the trail keeps of an error; undefined for a refusal, after which nothing has changed. */
  readonly failureOf: (thrown: unknown) => string | undefined;
}

/**
 * Makes a change that somebody asked for, with its entry in the audit trail: the entry is written first, so that no
 * change is without one, and completed when the change, or the task that makes it, has ended. A request that is refused
 * leaves none.
 */
export async function audited<Result>(
  parts: ChangeParts,
  { make, failureOf, ...request }: AuditedRequest<Result>,
): Promise<Result> {
  const change = new Change(parts, request);
  try {
    const result = await make(change);
    await change.answered();
    return result;
  } catch (thrown) {
    const failure = failureOf(thrown);
    await (failure === undefined ? change.refused() : change.failed(failure));
    throw thrown;
  }
}
