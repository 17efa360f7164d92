import type { JobResult } from '../../core/jobs/job.ts';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { ExtractorError } from '../../extractor/values/extractor-error.ts';
import { VariableError } from '../../variables/variable-error.ts';
import { JobFault } from './job-fault.ts';

/** Why a job ends in an error. */
export interface WhyEnded {
  readonly message: string;
  readonly type: NonNullable<JobResult['error']>['type'];
  /** For the log of the operator; undefined where the message says it all. */
  readonly cause?: unknown;
}

/** What of a load the owner of a configuration can mend. */
const ofOwner: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'input.invalid',
  'table.schemaMismatch',
  'table.inUse',
  'table.exists',
]);

/** A fault of the owner in its own words; of everything else the owner learns an id, by which the operator finds the cause. */
export function whyEnded(thrown: unknown, exceptionId: string): WhyEnded {
  if (thrown instanceof ExtractorError || thrown instanceof VariableError)
    return { type: 'user', message: thrown.message };
  if (thrown instanceof JobFault) return { type: thrown.type, message: thrown.message, cause: thrown.cause };
  if (thrown instanceof MillraceError && ofOwner.has(thrown.code)) return { type: 'user', message: thrown.message };
  const message = `The job ended by an error that is not its own. The operator finds what happened in the log, under "${exceptionId}".`;
  return { type: 'application', message, cause: thrown };
}
