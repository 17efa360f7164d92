import { isUnusable } from '../../documents/unusable.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

/**
 * Puts one object right. Where this release cannot read a document of it, or may not change one, the object waits for a process of the
 * release that wrote it; all others do not.
 */
export async function unlessUnusable(
  { telemetry }: { readonly telemetry: Telemetry },
  object: Readonly<Record<string, string | number>>,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isUnusable(thrown)) throw thrown;
    telemetry.log.warn(
      { ...object, err: thrown },
      'what a process left is not put right: a document is of another release',
    );
  }
}
