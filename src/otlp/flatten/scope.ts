import type { InstrumentationScope, Resource } from '../wire/messages.ts';
import type { Text } from '../wire/wire-text.ts';
import { writeAttributes } from './any-value.ts';
import { constant, countField, JsonWriter, textField } from './json-writer.ts';

/** What a record gets from its resource and its scope: the same text for all of them. */
export interface Scope {
  /** `,"resource":{…},"scope":{…}` */
  readonly fields: Uint8Array;
  /** What the reference has no place for, each with its comma; empty where there is nothing of it. */
  readonly extras: Uint8Array;
}

/** The part of a scope's text that its resource makes. */
export interface ResourceText {
  readonly field: Uint8Array;
  readonly extras: Uint8Array;
}

const keys = {
  resource: constant(',"resource":'),
  droppedOfResource: constant(',"resource_dropped_attributes_count":'),
  schemaUrlOfResource: constant(',"resource_schema_url":'),
  name: constant(',"scope":{"name":'),
  version: constant(',"version":'),
  attributes: constant(',"attributes":'),
  dropped: constant(',"dropped_attributes_count":'),
  schemaUrl: constant(',"schema_url":'),
  end: constant('}'),
};

/** What is written once, to stand in many records. */
export function shared(write: (out: JsonWriter) => void): Uint8Array {
  const out = new JsonWriter();
  write(out);
  return out.finish() ?? constant('');
}

/** `resource` is the map of its attributes (3.5). */
export function resourceText(resource: Resource | undefined, schemaUrl: Text): ResourceText {
  return {
    field: shared((out) => {
      out.constant(keys.resource);
      writeAttributes(out, resource?.attributes ?? []);
    }),
    extras: shared((out) => {
      countField(out, keys.droppedOfResource, resource?.dropped_attributes_count ?? 0);
      textField(out, keys.schemaUrlOfResource, schemaUrl);
    }),
  };
}

/** `scope` always has name and version (3.5); what else it has stands behind them. */
export function scopeOf(resource: ResourceText, scope: InstrumentationScope | undefined, schemaUrl: Text): Scope {
  const { name = '', version = '', attributes = [], dropped_attributes_count: dropped = 0 } = scope ?? {};
  const fields = shared((out) => {
    out.constant(resource.field);
    out.constant(keys.name);
    out.text(name);
    out.constant(keys.version);
    out.text(version);
    if (attributes.length > 0) {
      out.constant(keys.attributes);
      writeAttributes(out, attributes);
    }
    countField(out, keys.dropped, dropped);
    textField(out, keys.schemaUrl, schemaUrl);
    out.constant(keys.end);
  });
  return { fields, extras: resource.extras };
}
