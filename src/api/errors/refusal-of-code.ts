import type { ErrorCode } from '../../core/error-catalogue.ts';
import type { requestErrors } from '../../core/request-errors.ts';
import type { ApiErrorName } from './api-errors.ts';

export interface CodeRefusal {
  readonly name: ApiErrorName;
  /** Seconds after which it is worth to try again. */
  readonly retryAfter?: number;
}

const away: CodeRefusal = { name: 'serviceUnavailable', retryAfter: 1 };
const busy: CodeRefusal = { name: 'serviceUnavailable', retryAfter: 5 };

type RefusalOfCode = Readonly<
  Record<keyof typeof requestErrors, CodeRefusal> & Partial<Record<ErrorCode, CodeRefusal>>
>;

/**
 * What the API answers for an error of the rooms beneath it: for each that tells why a request cannot be, and some others. A code that is
 * not named is `internalError`: nobody who calls can mend it.
 */
export const refusalOfCode: RefusalOfCode = {
  'input.invalid': { name: 'badRequest' },
  'input.forbidden': { name: 'forbidden' },
  'input.tooLarge': { name: 'payloadTooLarge' },
  'input.unsupported': { name: 'unsupportedMediaType' },
  'source.notFound': { name: 'sourceNotFound' },
  'source.notDeleted': { name: 'deletedSourceNotFound' },
  'source.versionNotFound': { name: 'sourceVersionNotFound' },
  'source.exists': { name: 'sourceAlreadyExists' },
  'source.tooMany': { name: 'sourceCountLimitReached' },
  'source.disabled': { name: 'sourceDisabled' },
  'sink.notFound': { name: 'sinkNotFound' },
  'sink.notDeleted': { name: 'deletedSinkNotFound' },
  'sink.versionNotFound': { name: 'sinkVersionNotFound' },
  'sink.exists': { name: 'sinkAlreadyExists' },
  'sink.tooMany': { name: 'sinkCountLimitReached' },
  'version.tooMany': { name: 'versionCountLimitReached' },
  'token.notFound': { name: 'tokenNotFound' },
  'token.tooMany': { name: 'tokenCountLimitReached' },
  'component.notFound': { name: 'componentNotFound' },
  'configuration.notFound': { name: 'configurationNotFound' },
  'configuration.exists': { name: 'configurationAlreadyExists' },
  'configuration.tooMany': { name: 'configurationCountLimitReached' },
  'configuration.conflict': { name: 'configurationConflict' },
  'secret.noKey': { name: 'secretNotEncrypted' },
  'secret.foreign': { name: 'secretNotEncrypted' },
  'schedule.invalid': { name: 'invalidSchedule' },
  'schedule.notFound': { name: 'scheduleNotFound' },
  'secret.tooMany': { name: 'secretNotEncrypted' },
  'vault.notFound': { name: 'vaultVariableNotFound' },
  'vault.tooMany': { name: 'configurationCountLimitReached' },
  'job.invalid': { name: 'invalidJob' },
  'job.notFound': { name: 'jobNotFound' },
  'job.ended': { name: 'jobEnded' },
  'job.tooMany': { name: 'jobCountLimitReached' },
  'thread.otherBuild': { name: 'serviceUnavailable' },
  'object.busy': { name: 'operationInProgress' },
  'column.invalid': { name: 'invalidColumnName' },
  'column.exists': { name: 'columnAlreadyExists' },
  'column.notFound': { name: 'columnNotFound' },
  'column.last': { name: 'tableValidation' },
  'file.notFound': { name: 'fileNotFound' },
  'file.notUploaded': { name: 'fileNotUploaded' },
  'file.uploaded': { name: 'fileAlreadyUploaded' },
  'file.otherSize': { name: 'fileValidation' },
  'file.tooLarge': { name: 'payloadTooLarge' },
  'file.tooMany': { name: 'fileCountLimitReached' },
  'file.tooManyTags': { name: 'fileValidation' },
  'file.busy': busy,
  'file.noSpace': busy,
  'file.brokenOff': { name: 'clientClosed' },
  'file.tooSlow': { name: 'requestTimeout' },
  'import.invalid': { name: 'tableValidation' },
  'import.tableExists': { name: 'bucketTableAlreadyExists' },
  'import.notFound': { name: 'jobNotFound' },
  'import.tooMany': busy,
  'backup.refused': { name: 'backupRefused' },
  'bucket.invalid': { name: 'bucketValidation' },
  'bucket.notFound': { name: 'bucketNotFound' },
  'bucket.exists': { name: 'bucketAlreadyExists' },
  'bucket.notEmpty': { name: 'bucketNotEmpty' },
  'bucket.tooMany': { name: 'bucketCountLimitReached' },
  'table.notFound': { name: 'tableNotFound' },
  'table.exists': { name: 'tableAlreadyExists' },
  'table.inUse': { name: 'tableInUse' },
  'task.tooMany': busy,
  'process.stopping': busy,
  'trial.busy': busy,
  'trial.tooLong': { name: 'unprocessableContent' },
  'seat.lost': away,
  'catalog.unavailable': away,
  'catalog.contended': away,
  'catalog.newerDocument': busy,
  'log.unavailable': away,
  'log.refused': away,
  'log.diskFull': away,
  'log.full': away,
  'log.closed': away,
  'log.topicNotFound': away,
  'table.unavailable': away,
  'table.outOfMemory': away,
  'progress.logBehind': away,
  'progress.logCut': away,
  'progress.topicChanged': away,
};

/** Bounds that callers reach while nothing has failed: no line of the log at the level of failures for each of them. */
export const reachedBounds: ReadonlySet<unknown> = new Set<ErrorCode>([
  'task.tooMany',
  'process.stopping',
  'trial.busy',
]);
