import type { AuditEntry } from '../../core/audit-entry.ts';
import type { Job } from '../../core/jobs/job.ts';
import type { ScheduledRun } from '../../core/schedules/schedule.ts';
import { auditDocuments } from '../../documents/audit-document.ts';
import { createDocument } from '../../documents/change-document.ts';
import { auditId, auditNumberAt } from '../../documents/document-id.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/**
 * Writes the entry of a job that a schedule asks for into the audit trail, before the job is made. Once, however often it is called: it
 * stands at the first free number of the moment of the decision.
 */
export async function auditScheduledJob(
  catalog: Catalog,
  { job, run }: { readonly job: Job; readonly run: ScheduledRun },
  waiting: Waiting,
): Promise<void> {
  const { request, created, jobId } = job;
  const { branchId, componentId, configurationId, mode, rowIds, scheduledFor } = request;
  const requestId = `schedule-${jobId}`;
  for (let number = auditNumberAt(Date.parse(run.at)); ; number += 1) {
    const id = auditId(branchId, number);
    const entry: AuditEntry = {
      id: String(number),
      branchId,
      operation: 'createJob',
      object: { kind: 'job', jobId },
      at: run.at,
      by: created.by,
      requestId,
      outcome: 'success',
      finishedAt: run.at,
      after: { branchId, componentId, configurationId, rowIds, mode, scheduledFor },
    };
    if (await createDocument(catalog, { kind: auditDocuments, id, value: entry }, waiting)) return;
    const found = await readDocument(catalog, { kind: auditDocuments, id }, waiting);
    if (found?.value.requestId === requestId) return;
  }
}
