import type { Clock } from '../../core/clock.ts';
import type { SourceKey } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Configuration } from '../replica/configuration.ts';

/** The document of a source is written after those of its first sinks, and may be seen later still. */
const patienceMs = 10_000;
const pauseMs = 50;

/**
 * Resolves when the source is known: what its records hold depends on what kind of source it is. `source.notFound` when it does not come.
 */
export async function awaitSource(
  { configuration, clock }: { readonly configuration: SourceLookup; readonly clock: Clock },
  key: SourceKey,
  options: Waiting,
): Promise<void> {
  const until = clock.monotonic() + patienceMs;
  for (;;) {
    await configuration.learnSource(key, options);
    if (configuration.sourceOf(key) !== undefined) return;
    if (clock.monotonic() >= until)
      throw new MillraceError(
        'source.notFound',
        `source "${key.sourceId}" has no document that says what its records are`,
      );
    await clock.sleep(pauseMs, options);
  }
}

type SourceLookup = Pick<Configuration, 'learnSource' | 'sourceOf'>;
