import { changeDocument, ensureDocument } from '../../documents/change-document.ts';
import { installationDocuments, type Installation } from '../../documents/installation-document.ts';
import type { InstallationId } from '../../core/installation-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { ClaimedStore } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/waiting.ts';

const place = { kind: installationDocuments, id: 'installation' };

/**
 * The installation that a catalog belongs to; made where there is none, with this id. What stands in the catalog
 * counts: if several processes make it at once, one gets through. From then on it has the format of this release, so
 * that no release starts on the catalog which this one does not let write it. `catalog.newerDocument` when the catalog
 * is one of newer releases only.
 */
export function ensureInstallation(catalog: Catalog, id: InstallationId, options: Waiting): Promise<Installation> {
  return ensureDocument(catalog, { ...place, value: { id, claimed: [] } }, options);
}

/** Notes that a store has the mark of this installation: from now on its absence is noticed. */
export async function noteClaimed(catalog: Catalog, store: ClaimedStore, options: Waiting): Promise<void> {
  const change = (before?: Installation): Installation | undefined =>
    before === undefined || before.claimed.includes(store)
      ? undefined
      : { ...before, claimed: [...before.claimed, store] };
  await changeDocument(catalog, { ...place, change }, options);
}
