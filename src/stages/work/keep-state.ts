import { isRunOf } from '../../core/jobs/end-job.ts';
import type { Job, JobRun } from '../../core/jobs/job.ts';
import type { KeptState } from '../../core/jobs/load-note.ts';
import type { Configuration } from '../../core/configuration.ts';
import type { Stamp } from '../../core/source.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId, jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/**
 * Keeps at the configuration what a job leaves for the next one, before the job has ended: so long no other job of the configuration
 * runs. Whether it has is read behind the configuration: a run that is late finds another run's job, or a configuration that has
 * changed, and writes nothing. A configuration or a row that is gone keeps nothing, nor does another one that was made under its
 * id meanwhile.
 */
export async function keepState(
  catalog: Catalog,
  { job, run, states }: { readonly job: Job; readonly run: JobRun; readonly states: readonly KeptState[] },
  waiting: Waiting,
): Promise<void> {
  const { branchId, componentId, configurationId } = job.request;
  if (configurationId === undefined || states.length === 0) return;
  const change = async (before: Configuration | undefined): Promise<Configuration | undefined> => {
    if (before === undefined) return undefined;
    const id = jobDocumentId(job.jobId);
    const now = await readDocument(catalog, { kind: jobDocuments, id }, waiting);
    return now !== undefined && isRunOf(now.value, run) ? withStates(before, states) : undefined;
  };
  const id = configurationDocumentId({ branchId, componentId, configurationId });
  await changeDocument(catalog, { kind: configurationDocuments, id, change }, waiting);
}

function withStates(before: Configuration, states: readonly KeptState[]): Configuration {
  const stateOf = ({ created, rowId }: { readonly created: Stamp; readonly rowId?: string }): string | undefined =>
    states.find((one) => one.rowId === rowId && one.createdAt === created.at)?.state;
  return {
    ...before,
    state: stateOf({ created: before.created }) ?? before.state,
    rows: before.rows.map((row) => ({ ...row, state: stateOf(row) ?? row.state })),
  };
}
