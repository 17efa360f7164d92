import { errorCatalogue } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/** What the text of an error does not tell the caller: that nothing is known to have changed, and to try again. */
export function toldOf(error: MillraceError): string {
  switch (error.code) {
    case 'catalog.unavailable':
      return 'the catalog does not answer; nothing is known to have changed, try again';
    case 'log.unavailable':
    case 'log.refused':
    case 'log.diskFull':
    case 'log.full':
    case 'log.closed':
      return 'the log does not answer, try again';
    case 'table.unavailable':
    case 'table.outOfMemory':
      return 'the table store does not answer, try again';
    case 'catalog.contended':
      return `${error.message}; try again`;
    case 'catalog.newerDocument':
    case 'log.topicNotFound':
    case 'progress.logBehind':
    case 'progress.logCut':
    case 'progress.topicChanged':
      return `${error.message}; ${errorCatalogue[error.code].action}`;
    default:
      return error.message;
  }
}

/** True when the time of a request, or of a part of it, was over. */
export function isLate(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'TimeoutError';
}

export const lateText = 'the request took too long';

/** Why a task failed: what its reader may see. */
export function taskError(thrown: unknown): string {
  if (isLate(thrown)) return lateText;
  return thrown instanceof MillraceError && thrown.code !== 'internal.bug' ? toldOf(thrown) : 'Unknown error';
}
