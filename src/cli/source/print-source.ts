import type { SourceShape } from '../api-shapes.ts';
import { printFields, printJson } from '../print.ts';
import { stateOf } from '../state-of.ts';
import type { Terminal } from '../terminal.ts';

/** One source for a person or a program. */
export function printSource(terminal: Terminal, source: SourceShape, json: boolean): void {
  if (json) return printJson(terminal, source);
  const { sourceId, name, description, type, partitions, http, otlp, version, created } = source;
  return printFields(terminal, {
    source: sourceId,
    name,
    description: description === '' ? undefined : description,
    type,
    partitions: partitions > 1 ? String(partitions) : undefined,
    state: stateOf(source),
    url: http?.url ?? otlp?.url,
    'base url': otlp?.baseUrl,
    secret: otlp?.secret,
    'old url': oldUrlText(source),
    version: `${version.number} of ${version.at}: ${version.description}`,
    created: created.at,
  });
}

/** Undefined when only the present one is valid. */
function oldUrlText({ previousSecretValidUntil: until }: SourceShape): string | undefined {
  return until === undefined || Date.parse(until) <= Date.now() ? undefined : `valid until ${until}`;
}
