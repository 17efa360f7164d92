import type { SourceType } from '../source.ts';
import type { Setting } from './setting.ts';

/** What decides whether a setting changes something. */
export interface SettingPlace {
  readonly sourceType: SourceType;
  /** The product keeps the log itself, instead of Kafka. */
  readonly hasOwnLog: boolean;
  readonly hasRegistry: boolean;
}

/** Why a setting changes nothing at this place, as a sentence; undefined when it does. */
export function withoutEffect({ effect }: Setting, place: SettingPlace): string | undefined {
  switch (effect) {
    case undefined:
      return undefined;
    case 'none':
      return 'It is kept for clients that read it.';
    case 'ownLog':
      return place.hasOwnLog ? undefined : 'Kafka keeps the events, for as long as its topics say.';
    case 'registry':
      return place.hasRegistry
        ? undefined
        : 'The installation has no schema registry, so records are taken as they are.';
    case 'http':
      return place.sourceType === 'http'
        ? undefined
        : `It is for sources of type http, and this one is of type ${place.sourceType}.`;
    default:
      return effect satisfies never;
  }
}
