import type { SourceId, BranchId } from './ids.ts';
import type { SettingValue } from './settings/setting.ts';
import type { TableId } from './table-id.ts';

/** Who did something; `tokenId` and `tokenDesc` name the token of the request. */
export interface By {
  readonly type: 'user' | 'system';
  readonly tokenId?: string;
  readonly tokenDesc?: string;
}

export interface Stamp {
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  readonly by: By;
}

export interface Disabled extends Stamp {
  readonly reason: string;
  /** The parent source was disabled, and enabling it brings this sink back. */
  readonly withSource: boolean;
}

export interface Deleted extends Stamp {
  /** The parent source was deleted, and undeleting it brings this sink back. */
  readonly withSource: boolean;
  /** The existence of the source that was deleted; only undeleting that one brings the sink back. */
  readonly sourceIncarnation?: number;
}

/** The part of an object's definition history that every version carries. */
export interface Version extends Stamp {
  readonly number: number;
  /** 16 hexadecimal digits of the definition. */
  readonly hash: string;
  readonly description: string;
}

/** What a source receives: plain events, or OpenTelemetry. */
export const sourceTypes = ['http', 'otlp'] as const;
export type SourceType = (typeof sourceTypes)[number];

/** Overrides of settings by key; what is not here is inherited. */
export type SettingOverrides = Readonly<Record<string, SettingValue>>;

/** A secret that authenticates senders; one that is being rotated away ends at `validUntil` (milliseconds). */
export interface SourceSecret {
  readonly text: string;
  readonly validUntil?: number;
}

/** A deletion after which nothing of the source is to be left. Its document stays until its topics are gone, and some days longer. */
export interface Erasure {
  /** The tables of its sinks that are dropped with it; one without an identity was not there. */
  readonly tables: readonly { readonly tableId: TableId; readonly identity?: string }[];
  /** False: definitions, versions or tables may still be there, and whoever finds it goes on. */
  readonly isDone: boolean;
}

/** The topic of an existence of a source that has ended. */
export interface RetiredTopic {
  readonly name: string;
  readonly identity: string;
}

/** The document of a source in the catalog, collection `source`. */
export interface Source {
  readonly branchId: BranchId;
  readonly sourceId: SourceId;
  readonly type: SourceType;
  readonly name: string;
  readonly description: string;
  /** The first is the one that is shown. */
  readonly secrets: readonly SourceSecret[];
  readonly settings: SettingOverrides;
  readonly version: Version;
  readonly created: Stamp;
  readonly disabled?: Disabled;
  readonly deleted?: Deleted;
  /** Given for a deleted source that does not come back. */
  readonly erased?: Erasure;
  /** The topic of events and the number of this existence of the source, from 1. */
  readonly topic: string;
  readonly topicIdentity: string;
  /** As many as the topic had when it was made; it may have grown from outside since. */
  readonly partitions: number;
  readonly incarnation: number;
  /** Topics of earlier existences: each is removed, and then forgotten here, when no sink needs it any more. */
  readonly retired?: readonly RetiredTopic[];
}
