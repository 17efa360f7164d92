import type { InstrumentationScope, Resource } from '../wire/messages.ts';
import { attributesText } from './any-value.ts';
import { countField, optionalField, stringText, textField } from './json-text.ts';

/** What a record gets from its resource and its scope: the same text for all of them. */
export interface Scope {
  /** `,"resource":{…},"scope":{…}` */
  readonly fields: string;
  /** What the reference has no place for, each with its comma; empty where there is nothing of it. */
  readonly extras: string;
}

/** The part of a scope's text that its resource makes. */
export interface ResourceText {
  readonly field: string;
  readonly extras: string;
}

/** `resource` is the map of its attributes (3.5). */
export function resourceText(resource: Resource | undefined, schemaUrl: string): ResourceText {
  return {
    field: `,"resource":${attributesText(resource?.attributes ?? [])}`,
    extras:
      countField('resource_dropped_attributes_count', resource?.dropped_attributes_count ?? 0) +
      textField('resource_schema_url', schemaUrl),
  };
}

/** `scope` always has name and version (3.5); what else it has stands behind them. */
export function scopeOf(resource: ResourceText, scope: InstrumentationScope | undefined, schemaUrl: string): Scope {
  const { name = '', version = '', attributes = [], dropped_attributes_count: dropped = 0 } = scope ?? {};
  const kept = attributes.length === 0 ? undefined : attributesText(attributes);
  const text =
    `{"name":${stringText(name)},"version":${stringText(version)}` +
    optionalField('attributes', kept) +
    countField('dropped_attributes_count', dropped) +
    `${textField('schema_url', schemaUrl)}}`;
  return { fields: `${resource.field},"scope":${text}`, extras: resource.extras };
}
