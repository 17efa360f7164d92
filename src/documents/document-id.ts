import type { ConfigurationKey } from '../core/configuration.ts';
import { parseBranchId, type BranchId, type Incarnation, type SinkKey, type SourceKey } from '../core/ids.ts';
import type { VaultKey } from '../core/vault-variable.ts';

/**
 * Ids of documents in the catalog. Numbers are padded so that code unit order is number order; ids of sources and sinks
 * hold no slash, so prefixes select a branch's sources and a source's sinks.
 */
const digits = 15;

function padded(number: number): string {
  return String(number).padStart(digits, '0');
}

/** Prefix of the documents of a branch's sources. */
export function branchPrefix(branchId: BranchId): string {
  return `${padded(branchId)}/`;
}

/** The branch that the id of a document begins with; undefined for one that begins with none. */
export function branchOf(id: string): BranchId | undefined {
  const [, number = '0'] = /^(\d{15})\/./.exec(id) ?? [];
  return Number(number) < 1 ? undefined : parseBranchId(number);
}

export function sourceDocumentId({ branchId, sourceId }: SourceKey): string {
  return `${branchPrefix(branchId)}${sourceId}`;
}

/** Prefix of the documents of a source's sinks, and of its versions. */
export function sourcePrefix(key: SourceKey): string {
  return `${sourceDocumentId(key)}/`;
}

export function sinkDocumentId(key: SinkKey): string {
  return `${sourcePrefix(key)}${key.sinkId}`;
}

/** Prefix of the versions of a sink, and of its incarnations that were deleted. */
export function sinkPrefix(key: SinkKey): string {
  return `${sinkDocumentId(key)}/`;
}

/** Id in `source-version`. */
export function sourceVersionId(key: SourceKey, version: number): string {
  return `${sourcePrefix(key)}${padded(version)}`;
}

/** Id in `sink-version`. */
export function sinkVersionId(key: SinkKey, version: number): string {
  return `${sinkPrefix(key)}${padded(version)}`;
}

/** Id in `earlier-incarnation`. */
export function earlierIncarnationId(key: SinkKey, incarnation: Incarnation): string {
  return `${sinkPrefix(key)}${padded(incarnation)}`;
}

/** Id in `progress`; also the prefix of the incarnation's documents in `mapping`, `sink-status`, `import-history`. */
export function progressId(incarnation: Incarnation): string {
  return padded(incarnation);
}

export function mappingId(incarnation: Incarnation, version: number): string {
  return `${padded(incarnation)}/${padded(version)}`;
}

/** Id in `import-history`. */
export function importId(incarnation: Incarnation, number: number): string {
  return `${padded(incarnation)}/${padded(number)}`;
}

/** Id in `sink-status`: what keeps one member of a role from serving a sink, if anything does. */
export function statusId(incarnation: Incarnation, role: 'map' | 'stage' | 'import', member: string): string {
  return `${padded(incarnation)}/${role}/${member}`;
}

/** True for what this member of a role says of any sink. */
export function isStatusOf(id: string, role: 'map' | 'stage' | 'import', member: string): boolean {
  return id.slice(digits) === `/${role}/${member}`;
}

/** Numbers of audit entries stay below this. */
const auditNumbers = 10 ** digits;

/** The smallest number of an audit entry in this millisecond, which has room for so many of them. */
export function auditNumberAt(ms: number): number {
  return ms * 100;
}

/** Id in `audit`: a later entry has a smaller one, so that lists begin with the newest. */
export function auditId(branchId: BranchId, number: number): string {
  return `${branchPrefix(branchId)}${padded(auditNumbers - 1 - number)}`;
}

/** Id in `configuration`. */
export function configurationDocumentId({ branchId, componentId, configurationId }: ConfigurationKey): string {
  return `${branchPrefix(branchId)}${componentId}/${configurationId}`;
}

/** Prefix of the versions of a configuration. */
export function configurationPrefix(key: ConfigurationKey): string {
  return `${configurationDocumentId(key)}/`;
}

/** Id in `configuration-version`. */
export function configurationVersionId(key: ConfigurationKey, version: number): string {
  return `${configurationPrefix(key)}${padded(version)}`;
}

/** Prefix of the configurations of a component. */
export function componentPrefix({ branchId, componentId }: Pick<ConfigurationKey, 'branchId' | 'componentId'>): string {
  return `${branchPrefix(branchId)}${componentId}/`;
}

/** Prefix of the values of the vault of a branch; without one: of the project. */
export function vaultPrefix(branchId: BranchId | undefined): string {
  return branchId === undefined ? 'project/' : branchPrefix(branchId);
}

/** Id in `vault`. */
export function vaultDocumentId({ branchId, name }: VaultKey): string {
  return `${vaultPrefix(branchId)}${name}`;
}

/** Id in `file`. */
export function fileDocumentId(fileId: string): string {
  return padded(Number(fileId));
}

/** Id in `storage-job`. */
export function storageJobDocumentId(jobId: string): string {
  return padded(Number(jobId));
}

/** Id in `job`. */
export function jobDocumentId(jobId: string): string {
  return padded(Number(jobId));
}

/** Prefix of the log of a job in `job-event`. */
export function jobEventPrefix(jobId: string): string {
  return `${jobDocumentId(jobId)}/`;
}

/** Id in `job-event`. */
export function jobEventDocumentId(jobId: string, eventId: string): string {
  return `${jobEventPrefix(jobId)}${eventId}`;
}

/** Prefix of all blocks of samples of one step in `sample`; those of a later time come later. */
export function sampleStepPrefix(step: 'minute' | 'hour'): string {
  return `${step}/`;
}

/** Prefix of the blocks of one time, an hour or a day, counted since the epoch. */
export function samplePrefix(step: 'minute' | 'hour', block: number): string {
  return `${sampleStepPrefix(step)}${padded(block)}/`;
}

/** Id in `sample`: `group` is that of incarnations whose samples share a document. */
export function sampleId(step: 'minute' | 'hour', block: number, group: number): string {
  return `${samplePrefix(step, block)}${padded(group)}`;
}

/** Which time a block of samples is of. */
export function sampleBlockOf(id: string): number {
  return Number(id.split('/')[1]);
}
