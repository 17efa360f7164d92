import type { WorkerSaid } from '../core/workforce.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { listReadable } from './list-documents.ts';
import { workerDocuments, workerPrefix } from './worker-document.ts';

/** The processes that said that they run jobs, and when; those that are gone may be among them. */
export async function readWorkers(catalog: Catalog, options: Waiting): Promise<readonly WorkerSaid[]> {
  return (await listReadable(catalog, { kind: workerDocuments, prefix: workerPrefix }, options)).documents;
}
