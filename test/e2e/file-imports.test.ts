import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Installation, rootToken } from '../support/installation.ts';

const headers = { 'X-StorageApi-Token': rootToken };
const lines = 300_000;

async function call<Answer>({ process }: Installation, [method, path]: readonly [string, string], body?: object) {
  const response = await fetch(process.admin + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function upload(product: Installation): Promise<number> {
  const { id } = await call<{ id: number }>(product, ['POST', '/v2/storage/files/prepare'], { name: 'a.csv' });
  const body = `id,text\n${Array.from({ length: lines }, (_, at) => `${at},"text ${at}"\n`).join('')}`;
  const url = `${product.process.admin}/v2/storage/files/${id}/content`;
  expect((await fetch(url, { method: 'PUT', headers, body })).status).toBe(200);
  return id;
}

it('B8, D3: a process that is killed at some moment of an import leaves the table loaded once or not at all, and the next one ends the job', async () => {
  await using product = await Installation.start();
  const dataFileId = await upload(product);
  const columns = [{ name: 'id' }, { name: 'text' }];
  await call(product, ['POST', '/v2/storage/buckets/in.c-killed/tables-definition'], { name: 't', columns });
  const load = ['POST', '/v2/storage/tables/in.c-killed.t/import-async'] as const;
  const { id } = await call<{ id: number }>(product, load, { dataFileId, incremental: true });
  const job = () => call<{ status: string }>(product, ['GET', `/v2/storage/jobs/${id}`]);
  for (const waitMs of [0, 150, 300, 450, 600]) {
    await sleep(waitMs);
    await product.stop('SIGKILL');
    await product.start();
  }
  await expect.poll(async () => (await job()).status, { interval: 100 }).toBe('success');
  const table = ['GET', '/v2/storage/tables/in.c-killed.t'] as const;
  expect(await call(product, table)).toMatchObject({ rowsCount: lines });
  // Killed and started once more it stays so.
  await product.stop('SIGKILL');
  await product.start();
  expect(await call(product, table)).toMatchObject({ rowsCount: lines });
});
