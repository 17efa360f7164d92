import type { ConfigurationKey } from '../../core/configuration.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';

/** Changes of one configuration wait for each other, in the order in which they were asked for: clients store rows side by side. */
export function aloneOnConfiguration<Result>(
  { tasks }: Pick<Parts, 'tasks'>,
  { key, change, signal }: { readonly key: ConfigurationKey; readonly change: Change } & Waiting,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `configuration ${configurationDocumentId(key)}`;
  return tasks.serial.run(name, async () => {
    signal.throwIfAborted();
    return tasks.alone({ claims: [{ key: name, mode: 'exclusive' }], change }, work);
  });
}
