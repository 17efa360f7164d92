import type { AuditedDefinition, AuditObject, OpenAuditEntry } from '../../core/audit-entry.ts';
import { defaultBranch } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { By } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { TaskRunner } from '../tasks/task-runner.ts';
import { auditedDefinition, bounded } from './audited-definition.ts';
import { end, failed, outcomeOf, type EndingParts, type Outcome } from './ending.ts';
import { auditSlack, removeOldEntries } from './old-entries.ts';

export interface ChangeRequest {
  /** Name of what was asked for, for example `createSink`. */
  readonly operation: string;
  readonly by: By;
  /** Under which the log knows the request. */
  readonly requestId: string;
}

export interface ChangeParts extends EndingParts {
  readonly tasks: Pick<TaskRunner, 'whenEnded' | 'find'>;
}

/**
 * A change that somebody asked for, with its entry in the audit trail. Every operation that somebody asks for takes one, and begins it
 * when it has its object to itself, before it changes anything.
 */
export class Change {
  readonly by: By;
  readonly #parts: ChangeParts;
  readonly #request: ChangeRequest;
  #entry: OpenAuditEntry | undefined;
  #before: AuditedDefinition | undefined;
  #after: { readonly definition: AuditedDefinition | undefined } | undefined;

  constructor(parts: ChangeParts, request: ChangeRequest) {
    this.#parts = parts;
    this.#request = request;
    this.by = request.by;
  }

  /**
   * Writes the entry with the object as it stands now; rejects when that cannot be done: then nothing must be changed. Without an object:
   * what is made has no name yet. `taskId` is that of the task that is about to go on with it.
   */
  async begin(
    object: AuditObject | undefined,
    { taskId, ...options }: Waiting & { readonly taskId?: string },
  ): Promise<void> {
    const { audit } = this.#parts;
    this.#before = object && (await auditedDefinition(this.#parts, object, options));
    const draft = {
      branchId: (object !== undefined && 'branchId' in object ? object.branchId : undefined) ?? defaultBranch,
      ...this.#request,
      ...(object && { object }),
      ...(taskId !== undefined && { taskId }),
      ...(this.#before && { before: bounded(this.#before) }),
    };
    this.#entry = await audit.begin(draft, options);
    if (audit.begun % auditSlack === 0) audit.follow((following) => removeOldEntries(this.#parts, following));
  }

  /** Tells what was made, when nothing could tell before. */
  made(object: AuditObject): void {
    this.#entry = { ...this.#begun(), object };
  }

  /** Looks at what the change has made of its object, while nobody else changes it. */
  async look(options: Waiting): Promise<void> {
    if (this.#entry === undefined) return;
    const { object } = this.#entry;
    this.#after = { definition: object && (await auditedDefinition(this.#parts, object, options)) };
  }

  /** What was asked for is done, or a task goes on with it; then the entry ends with the task. */
  async answered(): Promise<void> {
    const { audit, tasks } = this.#parts;
    const { taskId } = this.#begun();
    if (taskId === undefined) return this.#end({ outcome: 'success' });
    audit.follow(async (options) => {
      await tasks.whenEnded(taskId);
      const outcome = outcomeOf(await tasks.find(taskId, options));
      if (outcome !== undefined) await this.#end(outcome);
    });
  }

  /** It failed, which may have left something. Never rejects. */
  async failed(error: string): Promise<void> {
    if (this.#entry !== undefined) await this.#end(failed(error));
  }

  /** It was refused: nothing was changed. Never rejects. */
  async refused(): Promise<void> {
    if (this.#entry !== undefined) await this.#parts.audit.withdraw(this.#entry);
  }

  #end(outcome: Outcome): Promise<void> {
    return end(this.#parts, { entry: this.#begun(), before: this.#before, after: this.#after }, outcome);
  }

  #begun(): OpenAuditEntry {
    if (this.#entry !== undefined) return this.#entry;
    throw new MillraceError('internal.bug', `${this.#request.operation} has not begun its entry in the audit trail`);
  }
}
