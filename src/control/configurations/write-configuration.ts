import { isDeepStrictEqual } from 'node:util';
import type { Configuration, ConfigurationKey, ConfigurationVersion } from '../../core/configuration.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Stamp } from '../../core/source.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { definitionOf, dropOldVersions, keepVersion } from '../store/configuration-versions.ts';
import { checkSize } from './configuration-changes.ts';

export interface ConfigurationWrite {
  readonly key: ConfigurationKey;
  /** As it was read; undefined where there is none. */
  readonly before: Configuration | undefined;
  /** The configuration after the change, of one that has the definition of `before`; states may be others each time. Keeps the version. */
  readonly make: (found: Configuration | undefined) => Configuration;
  readonly note: string;
  readonly stamp: Stamp;
  /** Makes a version though the definition stays. */
  readonly always?: boolean;
}

/**
 * Writes a configuration with its next version: first what the version keeps, then the configuration. Without a change of the definition
 * there is no version. `configuration.conflict` when somebody else has changed the definition since `before`.
 */
export async function writeConfiguration(
  { catalog }: Pick<Parts, 'catalog'>,
  { key, before, make, note, stamp, always = false }: ConfigurationWrite,
  options: Waiting,
): Promise<Configuration> {
  const draft = make(before);
  const isChanged = always || before === undefined || !isDeepStrictEqual(definitionOf(draft), definitionOf(before));
  const number = (before?.version.number ?? 0) + 1;
  const version: ConfigurationVersion = { number, changeDescription: note, at: stamp.at, by: stamp.by };
  const versioned = (made: Configuration): Configuration => (isChanged ? { ...made, version } : made);
  checkSize(draft);
  if (isChanged) await keepVersion(catalog, versioned(draft), options);
  const change = (found: Configuration | undefined): Configuration => {
    if (found?.version.number !== before?.version.number) throw conflict(key);
    return versioned(make(found));
  };
  const id = configurationDocumentId(key);
  const written = await changeDocument(catalog, { kind: configurationDocuments, id, change }, options);
  const after = written?.value ?? versioned(draft);
  if (isChanged) await dropOldVersions(catalog, after, options);
  return after;
}

function conflict({ configurationId }: ConfigurationKey): MillraceError {
  const message = `Configuration "${configurationId}" was changed by somebody else at the same time; look at it and try again`;
  return new MillraceError('configuration.conflict', message);
}
