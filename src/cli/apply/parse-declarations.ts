import { columnTypeNames } from '../../core/column.ts';
import { isMap, isNode, isSeq, LineCounter, parseAllDocuments, type Document, type Node } from 'yaml';
import type { z } from 'zod';
import { fieldNames } from '../../config/topology/field-names.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { ConfigurationDeclaration } from './configuration-declaration.ts';
import { configurationsOf } from './configuration-schema.ts';
import type { DeclaredSource } from './declaration.ts';
import { declarationSchema, declarationsOf } from './declaration-schema.ts';
import { unknownField } from '../../config/unknown-name.ts';
import { idFaults } from './id-faults.ts';

/** A source of a file, and where it stands. */
interface PlacedSource {
  readonly source: DeclaredSource;
  /** `shop.yaml:12`. */
  readonly place: string;
}

/** A configuration of a file, and where it stands. */
interface PlacedConfiguration {
  readonly configuration: ConfigurationDeclaration;
  readonly place: string;
}

export interface ParsedFile {
  readonly sources: readonly PlacedSource[];
  readonly configurations: readonly PlacedConfiguration[];
  /** The file says something of sources, if only that there are none; and so of configurations. */
  readonly says: readonly ('sources' | 'configurations')[];
  /** Each names file, line, field and rule. Empty when the file may be used. */
  readonly problems: readonly string[];
}

/** Reads the documents of a YAML (or JSON) text; everything that is wrong with it is found at once. `file` is only named. */
export function parseDeclarations(text: string, file: string): ParsedFile {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  try {
    const options = { lineCounter: lines, prettyErrors: false, merge: true, intAsBigInt: true };
    const documents = parseAllDocuments(text, options);
    const syntax = documents.flatMap(({ errors, warnings }) =>
      [...errors, ...warnings].map(({ message, pos }) => `${file}:${lineAt(pos[0])}: ${message}`),
    );
    if (syntax.length > 0) return refused(syntax.slice(0, mostFaults));
    const filled = documents.filter((document): document is Document.Parsed => document.contents !== null);
    if (filled.length === 0) return refused([`${file}: is empty; it must hold "sources:" or "configurations:"`]);
    const parsed = filled.map((document) => parseDocument(document, { file, lineAt }));
    return {
      sources: parsed.flatMap(({ sources }) => sources),
      configurations: parsed.flatMap(({ configurations }) => configurations),
      says: parsed.flatMap(({ says }) => says),
      problems: parsed.flatMap(({ problems }) => problems),
    };
  } catch (thrown) {
    return refused([`${file}: cannot be read: ${MillraceError.fromUnknown(thrown).message}`]);
  }
}

function refused(problems: readonly string[]): ParsedFile {
  return { sources: [], configurations: [], says: [], problems };
}

/** One fault of the syntax makes many that mean nothing. */
const mostFaults = 20;

interface FilePlaces {
  readonly file: string;
  readonly lineAt: (offset: number) => number;
}

function parseDocument(document: Document.Parsed, { file, lineAt }: FilePlaces): ParsedFile {
  const lineOf = (at: readonly PropertyKey[]): number => lineAt(offsetOf(document.contents, at) ?? 0);
  const content = withNumbers(document.toJS());
  const checked = declarationSchema.safeParse(content, { reportInput: true });
  const found = [...emptyFaults(content), ...idFaults(content), ...(checked.error?.issues ?? []).flatMap(describe)];
  if (!checked.success || found.length > 0) {
    const problems = found
      .map(({ at, message }) => ({ line: lineOf(at), text: `${nameOf(at)}: ${message}` }))
      .toSorted((a, b) => a.line - b.line)
      .map(({ line, text }) => `${file}:${line}: ${text}`);
    return refused(problems);
  }
  const sources = declarationsOf(checked.data).map((source) => ({
    source,
    place: `${file}:${lineOf(['sources', source.sourceId])}`,
  }));
  const configurations = configurationsOf(checked.data.configurations ?? {}).map((configuration) => {
    const at = ['configurations', configuration.componentId, configuration.configurationId];
    return { configuration, place: `${file}:${lineOf(at)}` };
  });
  const says = (['sources', 'configurations'] as const).filter((key) => checked.data[key] !== undefined);
  return { sources, configurations, says, problems: [] };
}

/** A document says something of sources or of configurations. */
function emptyFaults(content: unknown): readonly Problem[] {
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  if (!isObject || 'sources' in content || 'configurations' in content) return [];
  return [{ at: ['sources'], message: 'is missing' }];
}

/** Integers that a number holds exactly as numbers. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withNumbers(held)]));
}

interface Problem {
  readonly at: readonly PropertyKey[];
  readonly message: string;
}

function describe(issue: z.core.$ZodIssue): readonly Problem[] {
  const one = (message: string): readonly Problem[] => [{ at: issue.path, message }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ at: [...issue.path, key], message: unknownMessage(key, issue.path) }));
    case 'invalid_type':
      return one(typeMessage(issue));
    case 'invalid_key':
      return one(issue.issues[0]?.message ?? issue.message);
    case 'invalid_value':
      return one(`must be ${issue.values.map(String).join(' or ')}`);
    case 'invalid_union':
      return one(`must be ${columnTypeNames.join(' or ')}`);
    default:
      return one(issue.message);
  }
}

function typeMessage({ input, expected }: z.core.$ZodIssueInvalidType): string {
  if (input === undefined) return 'is missing';
  if (input === null) return 'has no value';
  switch (expected) {
    case 'string':
      return typeof input === 'object' ? 'must be a text' : 'must be a text: put it in quotes';
    case 'boolean':
      return 'must be true or false';
    case 'array':
      return 'must be a list';
    case 'object':
    case 'record':
      return 'must be an object';
    default:
      return `must be ${expected}`;
  }
}

const neverInFiles: readonly string[] = ['http', 'otlp', 'url', 'secret', 'secrets', 'token'];

function unknownMessage(key: string, path: readonly PropertyKey[]): string {
  if (neverInFiles.includes(key)) return 'URLs and secrets do not belong in a file: each installation makes its own';
  const known = fieldNames(declarationSchema, path);
  if (known.includes(key)) return 'does not belong to a column of this type';
  return unknownField(key, known);
}

function nameOf(at: readonly PropertyKey[]): string {
  if (at.length === 0) return 'the file';
  return at
    .map((key) =>
      typeof key === 'number' ? `[${key}]` : String(key).includes('.') ? `["${String(key)}"]` : `.${String(key)}`,
    )
    .join('')
    .replace(/^\./, '');
}

/** Where the key of a value stands, or of the innermost object around it that is there; keys are compared as text. */
function offsetOf(contents: Node | null, at: readonly PropertyKey[]): number | undefined {
  let node: unknown = contents;
  let offset = contents?.range?.[0];
  for (const key of at) {
    if (isMap(node)) {
      const pair = node.items.find((item) => textOf(item.key) === String(key));
      if (pair === undefined) return offset;
      offset = rangeOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      offset = rangeOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function textOf(key: unknown): string {
  return String(typeof key === 'object' && key !== null && 'value' in key ? key.value : key);
}

function rangeOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
