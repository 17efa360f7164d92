import type { InstrumentationScope, Resource } from '../wire/messages.ts';
import type { Text } from '../wire/wire-text.ts';
import { writeAttributes } from './any-value.ts';
import { constant, countField, textField } from './json-writer.ts';
import type { SharedTexts } from './shared-texts.ts';

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

/** `resource` is the map of its attributes (3.5). */
export function resourceText(texts: SharedTexts, resource: Resource | undefined, schemaUrl: Text): ResourceText {
  return {
    field: texts.text((out) => {
      out.constant(keys.resource);
      writeAttributes(out, resource?.attributes ?? []);
    }),
    extras: texts.text((out) => {
      countField(out, keys.droppedOfResource, resource?.dropped_attributes_count ?? 0);
      textField(out, keys.schemaUrlOfResource, schemaUrl);
    }),
  };
}

/** `scope` always has name and version (3.5); what else it has stands behind them. */
export function scopeOf(
  texts: SharedTexts,
  resource: ResourceText,
  { scope, schemaUrl }: { readonly scope: InstrumentationScope | undefined; readonly schemaUrl: Text },
): Scope {
  const { name = '', version = '', attributes = [], dropped_attributes_count: dropped = 0 } = scope ?? {};
  const fields = texts.text((out) => {
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
