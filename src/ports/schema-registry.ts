import type { KafkaValueFormat } from '../core/settings/millrace-settings.ts';
import type { Waiting } from './waiting.ts';

/** Formats whose records name a schema. */
export type SchemaFormat = Exclude<KafkaValueFormat, 'raw'>;

/** What became of a value: JSON text in UTF-8, or why there is none; the reason is a part of a sentence without values. */
export type Decoded =
  { readonly kind: 'json'; readonly text: Uint8Array } | { readonly kind: 'undecodable'; readonly problem: string };

/** Reads what stands after the schema's id. Waits for nothing, never throws, and is bounded in depth, values and text. */
export type Decoder = (payload: Uint8Array) => Decoded;

/** What a registry has under an id. An id means the same schema for ever; one that is unknown may be given later. */
export type SchemaLookup =
  | {
      readonly kind: 'schema';
      readonly decode: Decoder;
      /** Of its text, with all that it refers to. */ readonly bytes: number;
    }
  /** Unknown, of another format, too large, or not to be read: no record with this id can be decoded. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** Where producers register the schemas of their records. */
export interface SchemaRegistry extends AsyncDisposable {
  /**
   * The schema of an id, with all that it refers to. `schemas.unavailable` when the registry does not answer,
   * `schemas.refused` when it refuses us or is no registry.
   */
  find(schemaId: number, format: SchemaFormat, options: Waiting): Promise<SchemaLookup>;
}

/** The value of a record for a JSON text, or why there is none; the reason is a part of a sentence and names the field. */
export type Encoded =
  { readonly kind: 'value'; readonly value: Uint8Array } | { readonly kind: 'unfit'; readonly problem: string };

/** A schema as its owner wrote it. */
export interface SchemaText {
  readonly format: SchemaFormat;
  readonly text: string;
  /** Under which the registry keeps its versions. */
  readonly subject: string;
}

/** Makes values of records under a schema that is registered. */
export interface SchemaEncoder {
  readonly schemaId: number;
  /** Of a JSON text in UTF-8; never rejects. What the decoder of the format makes of the value is the same JSON. */
  encode(text: Uint8Array): Promise<Encoded>;
}
