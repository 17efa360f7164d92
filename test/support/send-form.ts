import { rootToken, type AdminHarness } from './admin-harness.ts';
import { describedFetch } from './api.ts';

export type FormRequest = readonly [method: string, path: string, fields: Readonly<Record<string, string>>];

/** Sends fields as a form with the root token, as curl does with -d. */
export async function sendForm(
  { base }: Pick<AdminHarness, 'base'>,
  [method, path, fields]: FormRequest,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await describedFetch(`${base}${path}`, {
    method,
    headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  return { status: response.status, body: await response.json() };
}
