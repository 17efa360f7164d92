import { rootToken } from './admin-harness.ts';
import { Api, describedFetch } from './api.ts';
import { eventually } from './eventually.ts';

/** A job of the storage interface, as it is answered. */
export interface ShownStorageJob {
  readonly id: number;
  readonly status: string;
  readonly url: string;
  readonly error?: { readonly message: string };
}

interface Uploading {
  readonly base: string;
  readonly token?: string;
  /** Of the file that is prepared. */
  readonly fields?: object;
}

/** Number of a file that was uploaded with these bytes. */
export async function uploadedFile(
  content: string | Uint8Array<ArrayBuffer>,
  { base, token = rootToken, fields = {} }: Uploading,
): Promise<number> {
  const file = { name: 'a.csv', ...fields };
  const { id } = await new Api(base, token).call<{ id: number }>('POST', '/v2/storage/files/prepare', file);
  const url = `${base}/v2/storage/files/${id}/content`;
  const headers = { 'X-StorageApi-Token': token };
  const answer = await describedFetch(url, { method: 'PUT', headers, body: content });
  if (answer.status !== 200) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
  return id;
}

/** Jobs run one after the other, and many may be before it. */
const patient = { withinMs: 100_000 };

/** The job once it has ended. */
export function endedStorageJob(api: Api, { id }: Pick<ShownStorageJob, 'id'>): Promise<ShownStorageJob> {
  return eventually(async () => {
    const job = await api.call<ShownStorageJob>('GET', `/v2/storage/jobs/${id}`);
    if (job.status === 'success' || job.status === 'error') return job;
    throw new Error(`the job ${id} has not ended: ${job.status}`);
  }, patient);
}
