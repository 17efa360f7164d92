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

/** A source's topic, `source.<branch>.<source>`; its second and later incarnations append their number. */
export function sourceTopic(key: SourceKey, incarnation = 1): string {
  const name = `source.${key.branchId}.${escapeId(key.sourceId)}`;
  return legal(incarnation === 1 ? name : `${name}.${incarnation}`);
}

/** An incarnation's topic of outcomes, `sink.<branch>.<source>.<sink>.<incarnation>`. */
export function sinkTopic(key: SinkKey, incarnation: Incarnation): string {
  return legal(`sink.${key.branchId}.${escapeId(key.sourceId)}.${escapeId(key.sinkId)}.${incarnation}`);
}

export type TopicName =
  | { readonly kind: 'source'; readonly key: SourceKey; readonly incarnation: number }
  | { readonly kind: 'sink'; readonly key: SinkKey; readonly incarnation: Incarnation };

/** The inverse of `sourceTopic` and `sinkTopic`; undefined for a topic that is not ours. */
export function parseTopicName(name: string): TopicName | undefined {
  const [family, branch = '', source = '', ...rest] = name.split('.');
  if (!/^[1-9][0-9]{0,14}$/.test(branch) || source === '') return undefined;
  const key = { branchId: Number(branch) as BranchId, sourceId: unescapeId(source) as SourceId };
  if (family === 'source' && rest.length <= 1) {
    const [incarnation = '1'] = rest;
    return isCount(incarnation) ? { kind: 'source', key, incarnation: Number(incarnation) } : undefined;
  }
  const [sink = '', incarnation = ''] = rest;
  if (family !== 'sink' || rest.length !== 2 || sink === '' || !isCount(incarnation)) return undefined;
  return {
    kind: 'sink',
    key: { ...key, sinkId: unescapeId(sink) as SinkId },
    incarnation: parseIncarnation(Number(incarnation)),
  };
}

function isCount(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text);
}

/** Kafka allows letters, digits, `.`, `_` and `-`; any other character becomes `_<hex>_`, and so does `_` itself. */
function escapeId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);
}

function unescapeId(text: string): string {
  return text.replaceAll(/_([0-9a-f]+)_/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
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
