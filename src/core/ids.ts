import type { Brand } from './brand.ts';
import { MillraceError } from './millrace-error.ts';
import { shortened } from './shortened.ts';
import { slug } from './slug.ts';
import { escapeForTopic } from './topic-escape.ts';

/** The namespace of sources: a positive integer; `default` is number 1. */
export type BranchId = Brand<number, 'BranchId'>;
export type SourceId = Brand<string, 'SourceId'>;
export type SinkId = Brand<string, 'SinkId'>;
/** One existence of a sink: a positive integer from one counter of the installation that never goes back. */
export type Incarnation = Brand<number, 'Incarnation'>;

export interface SourceKey {
  readonly branchId: BranchId;
  readonly sourceId: SourceId;
}

export interface SinkKey extends SourceKey {
  readonly sinkId: SinkId;
}

/** Longest id as part of a topic's name: two of them with branch and incarnation fit into Kafka's 249 characters. */
export const maxIdLength = 104;

export const defaultBranch = 1 as BranchId;

/**
 * Not allowed as the id of a source or sink: it ends the path of a list, so an object of that name could not be
 * reached.
 */
export const reservedId = 'deleted';

/** Reads `default` or a positive integer; anything else is `input.invalid`. */
export function parseBranchId(text: string): BranchId {
  if (text === 'default') return defaultBranch;
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1)
    throw new MillraceError(
      'input.invalid',
      `invalid branch: expected "default" or <int>, given "${shortened(text, 50)}"`,
    );
  return number as BranchId;
}

/** Normalises a given id or a name to an id; an empty result is `input.invalid` and names the field. */
export function parseSourceId(text: string): SourceId {
  return parseId(text, 'sourceId') as SourceId;
}

export function parseSinkId(text: string): SinkId {
  return parseId(text, 'sinkId') as SinkId;
}

function parseId(text: string, field: string): string {
  const id = slug(text);
  if (id === '') {
    const rule = `an id is made of Latin letters and digits, and ${JSON.stringify(shortened(text, 100))} has none`;
    throw new MillraceError('input.invalid', `"${field}" must not be empty: ${rule}; give a "${field}" that has some`);
  }
  const length = escapeForTopic(id).length;
  if (length > maxIdLength) {
    throw new MillraceError(
      'input.invalid',
      `"${field}" becomes "${shortened(id, maxIdLength)}", which needs ${length} characters in the name of a topic; at most ${maxIdLength} are allowed`,
    );
  }
  return id;
}

export function parseIncarnation(value: number): Incarnation {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new MillraceError('input.invalid', `invalid incarnation: expected a positive integer, given ${value}`);
  }
  return value as Incarnation;
}
