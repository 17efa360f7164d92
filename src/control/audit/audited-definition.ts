import { isDeepStrictEqual } from 'node:util';
import type { AuditedDefinition, AuditObject } from '../../core/audit-entry.ts';
import { phaseOf, statusOf, type Job } from '../../core/jobs/job.ts';
import { bucketDocuments } from '../../documents/bucket-document.ts';
import { fileDocumentId, jobDocumentId, sourcePrefix } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { sinkDocuments } from '../../documents/sink-document.ts';
import type { SourceKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Token } from '../../core/token.ts';
import type { Tables } from '../../ports/tables.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Configuration } from '../../core/configuration.ts';
import type { Schedule } from '../../core/schedules/schedule.ts';
import type { Configurations } from '../store/configurations.ts';
import type { Definitions } from '../store/definitions.ts';
import type { TokenStore } from '../store/tokens.ts';
import { sinkDefinition, sourceDefinition } from '../store/version-of.ts';
import { listReadable } from '../../documents/list-documents.ts';

/** Stands where a secret was. */
const masked = '[masked]';

/** Where the objects of changes are. */
export interface AuditedStores {
  readonly catalog: Catalog;
  readonly definitions: Definitions;
  readonly tokens: TokenStore;
  readonly configurations: Configurations;
  readonly tables: Pick<Tables, 'describeTable'>;
}

/** The object as it stands now, deleted or not, a source with its sinks; undefined when there is none. No secret, no hash. */
export async function auditedDefinition(
  stores: AuditedStores,
  object: AuditObject,
  options: Waiting,
): Promise<AuditedDefinition | undefined> {
  switch (object.kind) {
    case 'source': {
      const source = await stores.definitions.findSource(object, options);
      if (source?.erased !== undefined) return undefined;
      return source && { ...ofSource(source), sinks: await sinksOf(stores, object, options) };
    }
    case 'sink': {
      const sink = await stores.definitions.findSink(object, options);
      return sink && ofSink(sink);
    }
    case 'token': {
      const token = await stores.tokens.find(object.tokenId, options);
      return token && ofToken(token);
    }
    case 'table': {
      const table = await stores.tables.describeTable(object.tableId, options);
      return table && { tableId: table.tableId, columns: table.columns, rows: table.rows };
    }
    case 'bucket': {
      const { bucketId } = object;
      const bucket = await readDocument(stores.catalog, { kind: bucketDocuments, id: bucketId }, options);
      return bucket && { displayName: bucket.value.displayName, description: bucket.value.description };
    }
    case 'file': {
      const file = await readDocument(
        stores.catalog,
        { kind: fileDocuments, id: fileDocumentId(object.fileId) },
        options,
      );
      if (file === undefined) return undefined;
      const { name, tags, content } = file.value;
      return { name, tags, ...defined({ bytes: content?.bytes }) };
    }
    case 'configuration': {
      const configuration = await stores.configurations.find(object, options);
      return configuration && ofConfiguration(configuration);
    }
    case 'schedule': {
      const schedule = await stores.configurations.findSchedule(object, options);
      return schedule && ofSchedule(schedule);
    }
    case 'vaultVariable': {
      const variable = await stores.configurations.findVault(object, options);
      return variable && { name: variable.name, updated: variable.updated };
    }
    case 'job': {
      const job = await readDocument(stores.catalog, { kind: jobDocuments, id: jobDocumentId(object.jobId) }, options);
      return job && ofJob(job.value);
    }
    default:
      return object satisfies never;
  }
}

/** Secrets of it are ciphertexts. Texts stay texts: not every store keeps whatever JSON may hold. */
function ofConfiguration(configuration: Configuration): AuditedDefinition {
  const { name, description, isDisabled, rows, version, deleted } = configuration;
  const shownRows = rows.map((row) => [
    row.rowId,
    {
      name: row.name,
      description: row.description,
      isDisabled: row.isDisabled,
      version: row.version.number,
      configuration: row.configuration,
      state: row.state,
    },
  ]);
  return {
    name,
    description,
    isDisabled,
    version: version.number,
    configuration: configuration.configuration,
    state: configuration.state,
    rows: Object.fromEntries(shownRows),
    ...defined({ deleted }),
  };
}

function ofSchedule(schedule: Schedule): AuditedDefinition {
  const { cron, timeZone, isEnabled, variableValuesId, variableValues } = schedule;
  return { cron, timeZone, isEnabled, ...defined({ variableValuesId }), variableValues };
}

async function sinksOf(
  { catalog }: Pick<AuditedStores, 'catalog'>,
  key: SourceKey,
  options: Waiting,
): Promise<Readonly<Record<string, AuditedDefinition>>> {
  // A sink that only a newer release can read is not shown: a change of the source does not change that sink.
  const { documents } = await listReadable(catalog, { kind: sinkDocuments, prefix: sourcePrefix(key) }, options);
  return Object.fromEntries(documents.map((sink) => [sink.sinkId, ofSink(sink)]));
}

function ofSource(source: Source): AuditedDefinition {
  const { disabled, deleted, incarnation, secrets, version } = source;
  const shown = secrets.map(({ validUntil }) => ({ text: masked, ...defined({ validUntil }) }));
  return {
    ...sourceDefinition(source),
    secrets: shown,
    incarnation,
    version: version.number,
    ...defined({ disabled, deleted }),
  };
}

function ofSink(sink: Sink): AuditedDefinition {
  const { disabled, deleted, incarnation, tokenId, version } = sink;
  return {
    ...sinkDefinition(sink),
    incarnation,
    version: version.number,
    ...defined({ disabled, deleted, tokenId }),
  };
}

function ofToken({ description, scope, expiresAt, refreshedAt }: Token): AuditedDefinition {
  return { description, scope, ...defined({ expiresAt, refreshedAt }) };
}

/** What runs, and where it stands: neither its values nor a configuration of its own, which may hold secrets. */
function ofJob(job: Job): AuditedDefinition {
  const { branchId, componentId, configurationId, rowIds, mode, scheduledFor } = job.request;
  return {
    branchId,
    componentId,
    ...defined({ configurationId, scheduledFor }),
    rowIds,
    mode,
    status: statusOf(job),
    phase: phaseOf(job),
  };
}

function defined(fields: AuditedDefinition): AuditedDefinition {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface Sides {
  readonly before?: AuditedDefinition;
  readonly after?: AuditedDefinition;
}

/** What an entry keeps of both: nothing when they are equal, sinks only when they differ, and no more than the bound. */
export function keptOf(before: AuditedDefinition | undefined, after: AuditedDefinition | undefined): Sides {
  if (isDeepStrictEqual(before, after)) return {};
  const same = sameSinks(before, after);
  return {
    ...(before === undefined ? {} : { before: bounded(without(before, same)) }),
    ...(after === undefined ? {} : { after: bounded(without(after, same)) }),
  };
}

/** The definition within the bound: first its sinks lose their columns, then only its version and size are left. */
export function bounded(definition: AuditedDefinition): AuditedDefinition {
  // One of megabytes holds everybody up each time that it is written.
  const bytes = sizeOf(definition);
  if (bytes <= limits.auditDefinitionBytes) return definition;
  const sinks = Object.entries(sinksIn(definition)).map(([id, { table, ...rest }]) => [id, { ...rest, ...cut(table) }]);
  const shorter = { ...definition, sinks: Object.fromEntries(sinks) as AuditedDefinition, isCut: true };
  if (sinks.length > 0 && fits(shorter)) return shorter;
  const { version, description } = definition;
  const rest = defined({ version, description, bytes, isCut: true });
  return fits(rest) ? rest : { version, isCut: true };
}

function cut(table: unknown): AuditedDefinition {
  return typeof table === 'object' && table !== null && 'tableId' in table
    ? { table: { tableId: table.tableId, isCut: true } }
    : {};
}

function sizeOf(definition: AuditedDefinition): number {
  return Buffer.byteLength(JSON.stringify(definition));
}

function fits(definition: AuditedDefinition): boolean {
  return sizeOf(definition) <= limits.auditDefinitionBytes;
}

function sameSinks(before: AuditedDefinition = {}, after: AuditedDefinition = {}): ReadonlySet<string> {
  const others = sinksIn(after);
  const same = Object.entries(sinksIn(before)).filter(([id, sink]) => isDeepStrictEqual(sink, others[id]));
  return new Set(same.map(([id]) => id));
}

function without(definition: AuditedDefinition, sinkIds: ReadonlySet<string>): AuditedDefinition {
  if (definition['sinks'] === undefined) return definition;
  const { sinks: _, ...rest } = definition;
  const left = Object.entries(sinksIn(definition)).filter(([id]) => !sinkIds.has(id));
  return left.length === 0 ? rest : { ...rest, sinks: Object.fromEntries(left) };
}

function sinksIn({ sinks }: AuditedDefinition): Readonly<Record<string, AuditedDefinition>> {
  return typeof sinks === 'object' && sinks !== null ? (sinks as Readonly<Record<string, AuditedDefinition>>) : {};
}
