import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { auditDocuments } from './audit-document.ts';
import { bucketDocuments } from './bucket-document.ts';
import { configurationDocuments } from './configuration-document.ts';
import { configurationVersionDocuments } from './configuration-version-document.ts';
import { counterDocuments } from './counter-document.ts';
import { fileDocuments } from './file-document.ts';
import { importNoteDocuments } from './import-note-document.ts';
import { installationDocuments } from './installation-document.ts';
import { jobDocuments } from './job-document.ts';
import { jobEventDocuments } from './job-event-document.ts';
import { jobProgressDocuments } from './job-progress-document.ts';
import { lifeSignDocuments } from './life-sign-document.ts';
import { mappingDocuments } from './mapping-document.ts';
import { migrationDocuments } from './migration-document.ts';
import { missingServersDocuments } from './missing-servers-document.ts';
import { progressDocuments } from './progress-document.ts';
import { clockJumpsDocuments } from './clock-jumps-document.ts';
import { sampleDocuments } from './sample-document.ts';
import { retentionAgesDocuments } from './retention-ages-document.ts';
import { scheduleDocuments } from './schedule-document.ts';
import { seatDocuments } from './seat-document.ts';
import { sinkDocuments } from './sink-document.ts';
import { sinkStatusDocuments } from './sink-status-document.ts';
import { sourceDocuments } from './source-document.ts';
import { storageJobDocuments } from './storage-job-document.ts';
import { taskDocuments } from './task-document.ts';
import { tokenDocuments } from './token-document.ts';
import { vaultDocuments } from './vault-document.ts';
import { workerDocuments } from './worker-document.ts';
import { sinkVersionDocuments, sourceVersionDocuments } from './version-document.ts';

interface Kind {
  readonly schema: z.ZodType;
  readonly format: { readonly version: number };
}

const kinds: Readonly<Record<string, Kind>> = {
  audit: auditDocuments,
  bucket: bucketDocuments,
  configuration: configurationDocuments,
  'configuration-version': configurationVersionDocuments,
  counter: counterDocuments,
  file: fileDocuments,
  'import-history': importNoteDocuments,
  installation: installationDocuments,
  job: jobDocuments,
  'job-event': jobEventDocuments,
  'job-progress': jobProgressDocuments,
  'life-sign': lifeSignDocuments,
  mapping: mappingDocuments,
  migration: migrationDocuments,
  'missing-servers': missingServersDocuments,
  progress: progressDocuments,
  'clock-jumps': clockJumpsDocuments,
  'retention-ages': retentionAgesDocuments,
  sample: sampleDocuments,
  schedule: scheduleDocuments,
  seat: seatDocuments,
  sink: sinkDocuments,
  'sink-status': sinkStatusDocuments,
  'sink-version': sinkVersionDocuments,
  source: sourceDocuments,
  'source-version': sourceVersionDocuments,
  'storage-job': storageJobDocuments,
  task: taskDocuments,
  token: tokenDocuments,
  vault: vaultDocuments,
  worker: workerDocuments,
};

/** What a reader of the format counts on: the fields that must be there, the values that may be, how many shapes a part may have. */
function needsOf(name: string, { schema, format }: Kind): readonly string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return partsOf(root, 'it').map((part) => `${name} ${format.version}: ${part}`);
}

function partsOf(schema: z.core.JSONSchema._JSONSchema | undefined, place: string): readonly string[] {
  if (typeof schema !== 'object') return [];
  const { required = [], properties = {}, items, additionalProperties, anyOf, oneOf } = schema;
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const shapes = anyOf ?? oneOf ?? [];
  return [
    ...(values.length === 0 ? [] : [`${place} is ${values.join(' or ')}`]),
    ...(required.length === 0 ? [] : [`${place} has ${required.toSorted().join(', ')}`]),
    ...(shapes.length === 0 ? [] : [`${place} is one of ${shapes.length}`]),
    ...Object.entries(properties).flatMap(([field, part]) => partsOf(part, `${place}.${field}`)),
    ...(Array.isArray(items) ? [] : partsOf(items, `${place}[]`)),
    ...partsOf(additionalProperties, `${place}.*`),
    ...shapes.flatMap((part, at) => partsOf(part, `${place}|${at + 1}`)),
  ];
}

const formatOf = (line: string): string => line.slice(0, line.indexOf(':'));

test('U2: what an older release could not read of a document raises its format', async () => {
  const path = new URL('formats.txt', import.meta.url).pathname;
  const now = Object.entries(kinds).flatMap(([name, kind]) => needsOf(name, kind));
  const formats = new Set(now.map(formatOf));
  const recorded = (await readFile(path, 'utf8')).trim().split('\n');
  const changed = recorded.filter((line) => formats.has(formatOf(line)) && !now.includes(line));
  expect(changed, 'raise the format of what says something else now').toEqual([]);
  await expect(`${now.join('\n')}\n`).toMatchFileSnapshot(path);
});
