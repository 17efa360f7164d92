/** A value as the API shows it and as a document keeps it: sizes and durations are text (`256KB`, `1m0s`). */
export type SettingValue = string | number | boolean | readonly string[];

/** What a setting's value means. Sizes are bytes and durations milliseconds once parsed; bounds are inclusive. */
export type SettingKind =
  | { readonly kind: 'int'; readonly min: number; readonly max: number }
  | { readonly kind: 'size'; readonly minBytes: number; readonly maxBytes: number }
  | { readonly kind: 'duration'; readonly minMs: number; readonly maxMs: number }
  | { readonly kind: 'bool' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'contentType'; readonly maxLength: number }
  | { readonly kind: 'list'; readonly minItems: number };

export interface Setting {
  /** Dotted path, for example `storage.level.staging.upload.trigger.count`. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly defaultValue: SettingValue;
  readonly description: string;
  /** A protected key is changed by the operator only: 403 through the API. */
  readonly protected: boolean;
  /** A setting that means something for a source only is not offered on a sink. */
  readonly level: 'source' | 'both';
  /** Where alone it changes something; absent: everywhere. */
  readonly effect?: SettingEffect;
}

/**
 * `none`: nowhere, it is kept for clients that read it. `ownLog`: where the product keeps the log itself. `registry`: where there
 * is a schema registry. `http`: on sources of that type.
 */
export type SettingEffect = 'none' | 'ownLog' | 'registry' | 'http';

export type SettingLevel = 'source' | 'sink';
