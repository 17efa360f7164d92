import { slug } from '../../../core/slug.ts';

/** A key of a document that is no id. */
export interface IdFault {
  readonly at: readonly string[];
  readonly message: string;
}

/**
 * The keys of sources and sinks that the API would make other ids of. Apart from the schema, which does not look at what
 * stands under a key that it refuses.
 */
export function idFaults(document: unknown): readonly IdFault[] {
  const sources = entriesOf(document, 'sources');
  return sources.flatMap(([sourceId, source]) => [
    ...faultOf(['sources', sourceId]),
    ...entriesOf(source, 'sinks').flatMap(([sinkId]) => faultOf(['sources', sourceId, 'sinks', sinkId])),
  ]);
}

function faultOf(at: readonly string[]): readonly IdFault[] {
  const id = at.at(-1) ?? '';
  const made = slug(id);
  if (id !== '' && made === id) return [];
  const advice = made === '' ? '' : `, such as "${made}"`;
  return [{ at, message: `an id has lower case letters, digits and single dashes${advice}` }];
}

function entriesOf(value: unknown, field: string): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) return [];
  const held = value[field];
  return isObject(held) ? Object.entries(held) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
