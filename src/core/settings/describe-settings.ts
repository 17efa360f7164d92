import type { SettingOverrides } from '../source.ts';
import { formatByteSize } from './byte-size.ts';
import { formatDuration } from './duration.ts';
import { isOffered, settingCatalogue } from './setting-catalogue.ts';
import type { SettingKind, SettingLevel, SettingValue } from './setting.ts';
import { settingType } from './setting-value.ts';
import { withoutEffect, type SettingPlace } from './without-effect.ts';

/** One setting as GET shows it. */
export interface SettingDescription {
  readonly key: string;
  readonly type: 'string' | 'int' | 'bool' | '[]string';
  readonly description: string;
  /** The effective value. */
  readonly value: SettingValue;
  readonly defaultValue: SettingValue;
  /** True when this level itself overrides it. */
  readonly overwritten: boolean;
  readonly protected: boolean;
  /** The rule, for example `required,minBytes=100B,maxBytes=50MB`; absent when any value of the type is good. */
  readonly validation?: string;
  readonly inheritedFrom: 'default' | SettingLevel;
  /** Why it changes nothing here; absent when it does. */
  readonly withoutEffect?: string;
}

/** Overrides by level; with `sink` the settings of the sink are described, else those of the source. */
export interface SettingLevels {
  readonly source: SettingOverrides;
  readonly sink?: SettingOverrides;
  /** Of the installation, in place of the product's. */
  readonly defaults?: SettingOverrides;
}

/** All settings that the level offers, sorted by key. */
export function describeSettings(levels: SettingLevels, place: SettingPlace): readonly SettingDescription[] {
  const own = levels.sink ?? levels.source;
  const level: SettingLevel = levels.sink === undefined ? 'source' : 'sink';
  return settingCatalogue
    .filter((setting) => isOffered(setting, level))
    .map((setting): SettingDescription => {
      const { key } = setting;
      const defaultValue = levels.defaults?.[key] ?? setting.defaultValue;
      const rule = validation(setting.kind);
      const idle = withoutEffect(setting, place);
      return {
        key,
        type: settingType(setting.kind),
        description: setting.description,
        value: own[key] ?? levels.source[key] ?? defaultValue,
        defaultValue,
        overwritten: own[key] !== undefined,
        protected: setting.protected,
        ...(rule === undefined ? {} : { validation: rule }),
        inheritedFrom: own[key] !== undefined ? level : levels.source[key] !== undefined ? 'source' : 'default',
        ...(idle === undefined ? {} : { withoutEffect: idle }),
      };
    })
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

function validation(kind: SettingKind): string | undefined {
  switch (kind.kind) {
    case 'bool':
      return undefined;
    case 'contentType':
      return `max=${kind.maxLength}`;
    case 'int':
      if (kind.max === Number.MAX_SAFE_INTEGER) return undefined;
      return `${required(kind.min)}min=${kind.min},max=${kind.max}`;
    case 'size':
      return kind.minBytes === 0
        ? `maxBytes=${formatByteSize(kind.maxBytes)}`
        : `required,minBytes=${formatByteSize(kind.minBytes)},maxBytes=${formatByteSize(kind.maxBytes)}`;
    case 'duration':
      return `required,minDuration=${short(kind.minMs)},maxDuration=${short(kind.maxMs)}`;
    case 'choice':
      return `required,oneof=${kind.values.join(' ')}`;
    case 'list':
      return `required,min=${kind.minItems}`;
    default:
      return kind satisfies never;
  }
}

/** A rule that allows 0 is not `required`: 0 is what the reference takes for "not given". */
function required(min: number): string {
  return min === 0 ? '' : 'required,';
}

/** `30m0s` as `30m`, `24h0m0s` as `24h`: how the rules of the reference are written. */
function short(ms: number): string {
  return formatDuration(ms)
    .replace(/(?<=m)0s$/, '')
    .replace(/(?<=h)0m$/, '');
}
