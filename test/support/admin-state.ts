import type { DocumentKind } from '../../src/documents/document-kind.ts';
import { mappingId } from '../../src/documents/document-id.ts';
import { mappingDocuments } from '../../src/documents/mapping-document.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { sinkDocuments } from '../../src/documents/sink-document.ts';
import { sourceDocuments } from '../../src/documents/source-document.ts';
import { taskDocuments } from '../../src/documents/task-document.ts';
import { tokenDocuments } from '../../src/documents/token-document.ts';
import type { SinkProgress } from '../../src/core/progress/sink-progress.ts';
import type { Sink } from '../../src/core/sink.ts';
import type { Source } from '../../src/core/source.ts';
import { tableName } from '../../src/core/table-id.ts';
import { mayImport, type Token } from '../../src/core/token.ts';
import type { ApiDependencies } from '../../src/api/dependencies.ts';
import type { Catalog } from '../../src/ports/catalog.ts';

const signal = new AbortController().signal;

async function all<Document extends object>(
  catalog: Catalog,
  kind: DocumentKind<Document>,
): Promise<readonly Document[]> {
  const found = await catalog.list({ collection: kind.collection, prefix: '' }, { signal });
  return found.map(({ value }) => kind.parse(value));
}

/** True when no task is unfinished. */
export async function noTaskRuns({ catalog }: ApiDependencies): Promise<boolean> {
  return (await all(catalog, taskDocuments)).every(({ status }) => status !== 'processing');
}

/** What is wrong with the documents, of one source or of all, at a moment when no operation runs; empty when nothing is. */
export async function inconsistencies(dependencies: ApiDependencies, sourceId?: string): Promise<readonly string[]> {
  const { catalog } = dependencies;
  const sources = new Map((await all(catalog, sourceDocuments)).map((source) => [source.sourceId, source]));
  const sinks = await all(catalog, sinkDocuments);
  const progress = new Map((await all(catalog, progressDocuments)).map((one) => [one.incarnation, one]));
  const tokens = await all(catalog, tokenDocuments);
  const found = (await noTaskRuns(dependencies)) ? [] : ['a task is unfinished'];
  for (const sink of sinks) {
    if (sourceId !== undefined && sink.sourceId !== sourceId) continue;
    const wrong = faultsOf(sink, {
      source: sources.get(sink.sourceId),
      progress: progress.get(sink.incarnation),
      tokens,
    });
    const missing =
      sink.deleted === undefined ? await missingOf(sink, progress.get(sink.incarnation), dependencies) : [];
    found.push(...[...wrong, ...missing].map((text) => `${sink.sourceId}/${sink.sinkId}: ${text}`));
  }
  const named = new Set(sinks.map(({ incarnation }) => incarnation));
  for (const { incarnation, deleted } of progress.values())
    if (!named.has(incarnation) && !deleted) found.push(`incarnation ${incarnation} has no sink and goes on`);
  return found;
}

interface Surroundings {
  readonly source: Source | undefined;
  readonly progress: SinkProgress | undefined;
  readonly tokens: readonly Token[];
}

function faultsOf(sink: Sink, { source, progress, tokens }: Surroundings): readonly string[] {
  if (sink.deleted !== undefined) return progress?.deleted === false ? ['it is deleted and its progress is not'] : [];
  const { stage, bucket } = tableName(sink.table.tableId);
  const mayWrite = tokens.some(
    (token) => token.id === sink.tokenId && mayImport(token, sink.incarnation, `${stage}.${bucket}`),
  );
  const rules: readonly (readonly [boolean, string])[] = [
    [source !== undefined && source.deleted === undefined, 'it has no source'],
    [progress?.deleted === false, 'its progress is deleted or missing'],
    [progress?.open === (sink.disabled === undefined), 'it takes events while disabled, or none while enabled'],
    [progress?.mappingVersion === sink.mappingVersion, 'it shows another mapping than the one that is used'],
    [source?.disabled === undefined || sink.disabled !== undefined, 'it is enabled under a disabled source'],
    [source?.disabled !== undefined || sink.disabled?.withSource !== true, 'it waits for a source that is enabled'],
    [sink.disabled !== undefined || mayWrite, 'it has no token'],
  ];
  return rules.filter(([holds]) => !holds).map(([, text]) => text);
}

async function missingOf(
  { incarnation, mappingVersion, table }: Sink,
  progress: SinkProgress | undefined,
  { catalog, tables, ledger, sinkLog }: ApiDependencies,
): Promise<readonly string[]> {
  const missing: string[] = [];
  const mapping = await catalog.get('mapping', mappingId(incarnation, mappingVersion), { signal });
  if (mapping === undefined || mappingDocuments.parse(mapping.value).tableId !== table.tableId)
    missing.push('no mapping');
  if ((await ledger.readLedger(incarnation, { signal })) === undefined) missing.push('no ledger row');
  const found = await tables.describeTable(table.tableId, { signal });
  if (found === undefined) missing.push('no table');
  else if (found.columns.join() !== table.columns.map(({ name }) => name).join()) missing.push('other columns');
  if ((await sinkLog.describeTopic(progress?.topics.sink ?? 'none', { signal })) === undefined)
    missing.push('no topic');
  return missing;
}
