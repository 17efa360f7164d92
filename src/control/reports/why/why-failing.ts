import { errorCatalogue } from '../../../core/error-catalogue.ts';
import { isOld, isOnlyLate, type SinkStatus } from '../../../core/sink-status.ts';
import { sentence } from '../../errors/sentence.ts';
import type { MissedServer } from '../../store/read-missing-servers.ts';
import type { Finding } from './finding.ts';
import { counted, listed, partitionsText } from './words.ts';

const workOf = { map: 'Mapping', stage: 'Staging', import: 'Importing' } as const satisfies Readonly<
  Record<SinkStatus['role'], string>
>;

/** A role that cannot serve the sink: what failed, and when it is tried again. */
export function whyFailing(status: SinkStatus, now: number): Finding {
  const { role, code, message, since, nextTryAt, attempts, partitions } = status;
  const where = partitions === undefined ? '' : ` of ${partitionsText(partitions)}`;
  const what = isOnlyLate(status) ? `is late since ${since}` : `has failed ${counted(attempts, 'time')} since ${since}`;
  const next = isOld(status, now)
    ? `The next try was due at ${nextTryAt}; it takes long, or the process that said this is gone.`
    : `It is tried again at ${nextTryAt}.`;
  const action = actionOf(code);
  return {
    kind: 'failing',
    text: `${workOf[role]}${where} ${what}: ${sentence(message)} ${next}`,
    role,
    ...(partitions === undefined ? {} : { partitions }),
    since: Date.parse(since),
    nextAt: Date.parse(nextTryAt),
    code,
    ...(action === undefined ? {} : { action }),
    attempts,
  };
}

/** A newer release may tell of an error that this one does not know. */
export function actionOf(code: string): string | undefined {
  return Object.entries(errorCatalogue).find(([known]) => known === code)?.[1].action;
}

/** A server that a process cannot use: what its roles do there waits. */
export function whyWithoutServer({ process, server, roles, message, since }: MissedServer): Finding {
  return {
    kind: 'server',
    text: `The process ${process} cannot use the ${server} since ${since}, and does not ${listed(roles)} there until it can: ${sentence(message)}`,
    since: Date.parse(since),
  };
}
