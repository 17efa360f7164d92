import { MillraceError } from './millrace-error.ts';
import {
  parseIncarnation,
  type BranchId,
  type Incarnation,
  type SinkId,
  type SinkKey,
  type SourceId,
  type SourceKey,
} from './ids.ts';
import { escapeForTopic, unescapeFromTopic } from './topic-escape.ts';

/** A source's topic, `source.<branch>.<source>`; its second and later incarnations append their number. */
export function sourceTopic(key: SourceKey, incarnation = 1): string {
  const name = `source.${key.branchId}.${escapeForTopic(key.sourceId)}`;
  return legal(incarnation === 1 ? name : `${name}.${incarnation}`);
}

/** An incarnation's topic of outcomes, `sink.<branch>.<source>.<sink>.<incarnation>`. */
export function sinkTopic(key: SinkKey, incarnation: Incarnation): string {
  return legal(`sink.${key.branchId}.${escapeForTopic(key.sourceId)}.${escapeForTopic(key.sinkId)}.${incarnation}`);
}

export type TopicName =
  | { readonly kind: 'source'; readonly key: SourceKey; readonly incarnation: number }
  | { readonly kind: 'sink'; readonly key: SinkKey; readonly incarnation: Incarnation };

/** The inverse of `sourceTopic` and `sinkTopic`; undefined for a topic that is not ours. */
export function parseTopicName(name: string): TopicName | undefined {
  const [family, branch = '', source = '', ...rest] = name.split('.');
  const sourceId = unescapeFromTopic(source);
  if (!isCount(branch) || sourceId === undefined || sourceId === '') return undefined;
  const key = { branchId: Number(branch) as BranchId, sourceId: sourceId as SourceId };
  if (family === 'source') return sourceTopicName(key, rest);
  return family === 'sink' ? sinkTopicName(key, rest) : undefined;
}

function sourceTopicName(key: SourceKey, rest: readonly string[]): TopicName | undefined {
  const [incarnation] = rest;
  if (incarnation === undefined) return { kind: 'source', key, incarnation: 1 };
  const isOurs = rest.length === 1 && isCount(incarnation) && incarnation !== '1';
  return isOurs ? { kind: 'source', key, incarnation: Number(incarnation) } : undefined;
}

function sinkTopicName(key: SourceKey, rest: readonly string[]): TopicName | undefined {
  const [sink = '', incarnation = ''] = rest;
  const sinkId = unescapeFromTopic(sink);
  if (rest.length !== 2 || sinkId === undefined || sinkId === '' || !isCount(incarnation)) return undefined;
  return {
    kind: 'sink',
    key: { ...key, sinkId: sinkId as SinkId },
    incarnation: parseIncarnation(Number(incarnation)),
  };
}

/** A positive integer as we write it. */
function isCount(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text);
}

/** Kafka's limit for the name of a topic. */
const maxTopicLength = 249;

function legal(name: string): string {
  if (name.length <= maxTopicLength) return name;
  throw new MillraceError(
    'input.invalid',
    `the ids are too long together: the topic name "${name}" has more than ${maxTopicLength} characters`,
  );
}
