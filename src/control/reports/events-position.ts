import type { Offset } from '../../core/offset.ts';

/** Where the events of a source were read up to. */
export interface EventsPosition {
  /** Of the source: offsets of another one mean nothing. */
  readonly incarnation: number;
  /** By partition; one that is not there begins with its first event. */
  readonly offsets: readonly Offset[];
}

/** As clients send it back: `1:17,4`. */
export function formatEventsPosition({ incarnation, offsets }: EventsPosition): string {
  return `${incarnation}:${offsets.join(',')}`;
}

const form = /^(?<incarnation>[1-9][0-9]{0,8}):(?<offsets>[0-9]{1,15}(?:,[0-9]{1,15})*)$/;

/** The inverse; undefined for any other text. */
export function parseEventsPosition(text: string): EventsPosition | undefined {
  const { incarnation, offsets } = form.exec(text)?.groups ?? {};
  if (incarnation === undefined || offsets === undefined) return undefined;
  return { incarnation: Number(incarnation), offsets: offsets.split(',').map(Number) };
}
