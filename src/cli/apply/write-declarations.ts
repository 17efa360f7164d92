import { Document, visit } from 'yaml';
import { hasHiddenText, withoutHiddenText } from '../without-hidden-text.ts';
import type { ConfigurationDeclaration } from './configuration-declaration.ts';
import { writtenConfigurations } from './write-configurations.ts';
import type { SinkDeclaration, SourceDeclaration } from './declaration.ts';
import { writtenColumn } from './declared-column.ts';

export interface Exported {
  readonly sources: readonly SourceDeclaration[];
  /** Absent: the file says nothing of them. */
  readonly configurations?: readonly ConfigurationDeclaration[];
}

/** The content of a file that declares these: what goes without saying is left out. */
export function writtenDeclarations({ sources, configurations }: Exported): object {
  return {
    sources: Object.fromEntries(sources.map((source) => [source.sourceId, writtenSource(source)])),
    ...(configurations === undefined || configurations.length === 0
      ? {}
      : { configurations: writtenConfigurations(configurations) }),
  };
}

/** The same as YAML, lines of text as blocks, nothing folded; what could move the cursor of a terminal or hide text is escaped. */
export function declarationsText(exported: Exported, comment: string): string {
  const document = new Document(writtenDeclarations(exported));
  document.commentBefore = ` ${comment}`;
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && hasHiddenText(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return withoutHiddenText(document.toString({ lineWidth: 0 }));
}

function writtenSource(source: SourceDeclaration): object {
  const { sourceId, type, name, description, disabled, partitions, settings, sinks } = source;
  return {
    type,
    ...(name === sourceId ? {} : { name }),
    ...(description === '' ? {} : { description }),
    ...(disabled ? { disabled } : {}),
    ...(partitions === undefined ? {} : { partitions }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(sinks.length === 0 ? {} : { sinks: Object.fromEntries(sinks.map((sink) => [sink.sinkId, writtenSink(sink)])) }),
  };
}

function writtenSink(sink: SinkDeclaration): object {
  const { sinkId, name, description, disabled, tableId, allowedSignals, columns, settings } = sink;
  return {
    ...(name === sinkId ? {} : { name }),
    ...(description === '' ? {} : { description }),
    ...(disabled ? { disabled } : {}),
    table: tableId,
    ...(allowedSignals.length === 0 ? {} : { allowedSignals }),
    columns: columns.map(writtenColumn),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
}
