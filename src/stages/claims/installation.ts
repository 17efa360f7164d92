import { changeDocument, ensureDocument } from '../../documents/change-document.ts';
import { installationDocuments, type Installation, type StoreLocation } from '../../documents/installation-document.ts';
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

interface NotedLocation extends StoreLocation {
  /** Whatever the catalog said before. */
  readonly replace: boolean;
}

/**
 * Notes where a store is, for all processes; answers where the catalog says that it is then: if several differ, the
 * first that is noted counts.
 */
export async function noteLocation(
  catalog: Catalog,
  { store, location, replace }: NotedLocation,
  options: Waiting,
): Promise<string | undefined> {
  const change = (before?: Installation): Installation | undefined => {
    const known = locationOf(before, store);
    if (before === undefined || known?.location === location || (known !== undefined && !replace)) return undefined;
    const others = (before.locations ?? []).filter((one) => one.store !== store);
    return { ...before, locations: [...others, { ...known, store, location }] };
  };
  const installation = (await changeDocument(catalog, { ...place, change }, options))?.value;
  return locationOf(installation, store)?.location;
}

function locationOf(installation: Installation | undefined, wanted: string): StoreLocation | undefined {
  return installation?.locations?.find(({ store }) => store === wanted);
}
