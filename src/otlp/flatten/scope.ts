import type { EntityRef, InstrumentationScope, Resource } from '../wire/messages.ts';
import type { Text } from '../wire/wire-text.ts';
import { writeAttributes, writeList } from './any-value.ts';
import { constant, countField, textField, type JsonWriter } from './json-writer.ts';
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
  entities: constant(',"resource_entity_refs":'),
  typeOfEntity: constant('{"type":'),
  idKeys: constant(',"id_keys":'),
  descriptionKeys: constant(',"description_keys":'),
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
      const entities = resource?.entity_refs ?? [];
      if (entities.length === 0) return;
      out.constant(keys.entities);
      writeList(out, entities, writeEntity);
    }),
  };
}

/** Which attributes of a resource name an entity, and which describe it. */
function writeEntity(out: JsonWriter, entity: EntityRef): void {
  out.constant(keys.typeOfEntity);
  out.text(entity.type);
  out.constant(keys.idKeys);
  writeList(out, entity.id_keys, writeText);
  out.constant(keys.descriptionKeys);
  writeList(out, entity.description_keys, writeText);
  textField(out, keys.schemaUrl, entity.schema_url);
  out.constant(keys.end);
}

function writeText(out: JsonWriter, text: Text): void {
  out.text(text);
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
