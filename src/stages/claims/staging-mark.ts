import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { parseInstallationId, type InstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Claimable } from '../../ports/claimable.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';

/** Name of the object that marks a staging store; below its prefix, as all objects are. */
export const stagingMark = 'millrace-installation.json';

const schema = z.object({ installation: z.string() });

/** The mark of a staging store: an object that is made once, since a name that is taken is refused. */
export class StagingMark implements Claimable {
  readonly #objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  async claimant(options: Waiting): Promise<InstallationId | undefined> {
    let content: string;
    try {
      content = await text(await this.#objects.get(stagingMark, options));
    } catch (thrown) {
      if (thrown instanceof MillraceError && thrown.code === 'objects.notFound') return undefined;
      throw thrown;
    }
    return installationOf(content);
  }

  async claim(installation: InstallationId, options: Waiting): Promise<InstallationId> {
    const bytes = Buffer.from(`${JSON.stringify({ installation })}\n`);
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

function installationOf(content: string): InstallationId {
  try {
    return parseInstallationId(schema.parse(JSON.parse(content)).installation);
  } catch (thrown) {
    const message = `the object "${stagingMark}" does not name an installation: restore it, or remove it and run "millrace claim"`;
    throw new MillraceError('installation.unmarked', message, { cause: thrown });
  }
}
