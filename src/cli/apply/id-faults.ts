import { reservedId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { slug } from '../../core/slug.ts';

/** A key of a document that is no id. */
export interface IdFault {
  readonly at: readonly string[];
  readonly message: string;
}

/**
 * The keys of sources and sinks that the API would make other ids of, or refuse. Apart from the schema, which does not look at what
 * stands under a key that it refuses.
 */
export function idFaults(document: unknown): readonly IdFault[] {
  const sources = entriesOf(document, 'sources');
  return sources.flatMap(([sourceId, source]) => [
    ...faultOf(['sources', sourceId], source),
    ...entriesOf(source, 'sinks').flatMap(([sinkId, sink]) => faultOf(['sources', sourceId, 'sinks', sinkId], sink)),
  ]);
}

function faultOf(at: readonly string[], object: unknown): readonly IdFault[] {
  const id = at.at(-1) ?? '';
  const made = slug(id);
  if (id !== '' && made === id) return rulesOf(id, object).map((message) => ({ at, message }));
  const advice = made === '' ? '' : `, such as "${made}"`;
  return [{ at, message: `an id has lower case letters, digits and single dashes${advice}` }];
}

/** What else the API wants of the id of an object that is to be made. One that is there may have had another name. */
function rulesOf(id: string, object: unknown): readonly string[] {
  if (id === reservedId) return [`"${reservedId}" is no id: the list of deleted ones has that path`];
  const hasName = isObject(object) && object['name'] !== undefined;
  if (hasName || id.length <= limits.nameLength) return [];
  return [`an id of more than ${limits.nameLength} characters is too long for a name: give a "name"`];
}

function entriesOf(value: unknown, field: string): readonly (readonly [string, unknown])[] {
  if (!isObject(value)) return [];
  const held = value[field];
  return isObject(held) ? Object.entries(held) : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
