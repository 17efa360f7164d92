import type { ComponentId } from '../../src/core/component.ts';
import type { Configuration } from '../../src/core/configuration.ts';
import { defaultBranch } from '../../src/core/ids.ts';
import { createDocument } from '../../src/documents/change-document.ts';
import { configurationDocuments } from '../../src/documents/configuration-document.ts';
import { configurationDocumentId } from '../../src/documents/document-id.ts';
import type { Catalog } from '../../src/ports/catalog.ts';

const componentId: ComponentId = 'generic-extractor';
const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } as const;

/** Puts a configuration into the catalog as it is stored. */
export async function storeConfiguration(
  catalog: Catalog,
  { configurationId, ...fields }: Pick<Configuration, 'configurationId'> & Partial<Configuration>,
): Promise<void> {
  const value: Configuration = {
    branchId: defaultBranch,
    componentId,
    configurationId,
    name: configurationId,
    description: '',
    configuration: '{"parameters":{}}',
    state: '{}',
    isDisabled: false,
    version: { ...stamp, number: 1, changeDescription: 'Configuration created' },
    created: stamp,
    rows: [],
    ...fields,
  };
  const place = { kind: configurationDocuments, id: configurationDocumentId(value), value };
  if (!(await createDocument(catalog, place, { signal: new AbortController().signal })))
    throw new Error(`there is a configuration ${configurationId}`);
}
