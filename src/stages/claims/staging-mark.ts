import { text } from 'node:stream/consumers';
import type { InstallationId } from '../../core/installation-id.ts';
import { installationMark, parseInstallationMark } from '../../core/installation-mark.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Claimable } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectStore } from '../../ports/object-store.ts';

/** Name of the object that marks a staging store; below its prefix, as all objects are. */
export const stagingMark = 'millrace-installation.json';

/** The mark of a staging store: an object that is made once, since a name that is taken is refused. */
export class StagingMark implements Claimable {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  async location(): Promise<string | undefined> {
    return this.#objects.location;
  }

  async claimant(options: Waiting): Promise<InstallationId | undefined> {
    let content: string;
    try {
      content = await text(await this.#objects.get(stagingMark, options));
    } catch (thrown) {
      if (thrown instanceof MillraceError && thrown.code === 'objects.notFound') return undefined;
      throw thrown;
    }
    return parseInstallationMark(content, `the object "${stagingMark}"`);
  }

  async claim(installation: InstallationId, options: Waiting): Promise<InstallationId> {
    const bytes = Buffer.from(installationMark(installation));
    try {
      await this.#objects.put(stagingMark, { kind: 'bytes', bytes }, options);
      return installation;
    } catch (thrown) {
      if (!(thrown instanceof MillraceError) || thrown.code !== 'objects.exists') throw thrown;
    }
    const present = await this.claimant(options);
    if (present !== undefined) return present;
    throw new MillraceError('objects.unavailable', `the object "${stagingMark}" was there and is gone`);
  }
}
