import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { MillraceError } from '../../core/millrace-error.ts';
import { whyUnread } from '../../core/why-unread.ts';
import type { Environment } from '../config.ts';
import { fieldNames } from './field-names.ts';
import { resolveReferences } from './reference.ts';
import { topologySchema } from './schema.ts';
import { unknownField } from '../unknown-name.ts';
import type { Topology } from './topology.ts';

/** The text of a topology file. */
export function readTopologyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    const message = `The topology file "${path}" cannot be read: ${whyUnread(thrown)}.`;
    throw new MillraceError('config.invalid', message, { cause: thrown });
  }
}

/** Everything that is wrong with a topology is reported in one `config.invalid`, a line each; `path` is only named. */
export function parseTopology(
  text: string,
  { path, environment = process.env }: { readonly path: string; readonly environment?: Environment },
): Topology {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const syntax = document.errors.map(({ message, pos }) => `line ${lines.linePos(pos[0]).line}: ${message}`);
  if (syntax.length > 0) throw invalid(path, syntax);
  const checked = topologySchema.safeParse(resolveReferences(document.toJS(), environment), { reportInput: true });
  if (checked.success) return checked.data;
  const issues = checked.error.issues.flatMap((issue) => describe(issue));
  throw invalid(
    path,
    issues.map(({ at, message }) => `${lineOf(document, { at, lines })}${nameOf(at)}: ${message}`),
  );
}

interface Problem {
  readonly at: readonly PropertyKey[];
  readonly message: string;
}

function describe(issue: z.core.$ZodIssue): readonly Problem[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        at: [...issue.path, key],
        message: unknownField(key, fieldNames(topologySchema, issue.path)),
      }));
    case 'invalid_union':
      return [{ at: issue.path, message: kindMessage(issue) }];
    case 'invalid_type':
      return [
        { at: issue.path, message: issue.input === undefined ? 'is missing' : `must be ${named(issue.expected)}` },
      ];
    case 'invalid_value':
      return [{ at: issue.path, message: `must be ${issue.values.map(String).join(' or ')}` }];
    default:
      return [{ at: issue.path, message: issue.message }];
  }
}

function named(type: string): string {
  const names: Readonly<Record<string, string>> = { array: 'a list', object: 'an object', boolean: 'true or false' };
  return names[type] ?? `a ${type}`;
}

function kindMessage({ discriminator, options }: z.core.$ZodIssueInvalidUnion & { options?: unknown }): string {
  const kinds = Array.isArray(options) ? options.map(String).join(' or ') : 'one that this version knows';
  return discriminator === undefined ? 'has a form that this version does not know' : `must be ${kinds}`;
}

function nameOf(at: readonly PropertyKey[]): string {
  if (at.length === 0) return 'the file';
  return at
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
}

/** The line of what is wrong, or of what it is missing in. */
function lineOf(
  document: Document,
  { at, lines }: { readonly at: readonly PropertyKey[]; readonly lines: LineCounter },
): string {
  for (let depth = at.length; depth > 0; depth -= 1) {
    const node = document.getIn(at.slice(0, depth), true);
    if (hasRange(node)) return `line ${lines.linePos(node.range[0]).line}: `;
  }
  return '';
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

function invalid(path: string, problems: readonly string[]): MillraceError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const listed = problems.map((problem) => `\n- ${problem}`).join('');
  return new MillraceError('config.invalid', `The topology file "${path}" holds ${count}:${listed}`);
}
