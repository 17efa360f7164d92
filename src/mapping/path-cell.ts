import { isUtf8 } from 'node:buffer';
import type { ColumnOf } from '../core/column.ts';
import type { Refusal } from '../core/dead-letter.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { BodyPaths } from './body-paths.ts';
import { writeTextCell, type ColumnCell } from './column-cell.ts';
import { formJson, formValueAt } from './form-value.ts';
import { invalidJson } from './json-refusal.ts';
import type { JsonSpan } from './json-scan.ts';
import { compactJson, hasEscape, unescapeJson } from './json-text.ts';
import type { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';
import { parsePath, type PathStep } from './path.ts';
import type { PathNode } from './path-trie.ts';
import { invalidText, notUtf8, rowTooLarge, textFault, unsupportedType } from './refusals.ts';

const quote = 0x22;

/** Compiles a path column; a path or a default that no event could satisfy is `input.invalid`. */
export function pathCell(column: ColumnOf<'path'>, paths: BodyPaths): ColumnCell {
  const path = parsePath(column.path);
  if (path.kind === 'invalid') {
    throw new MillraceError(
      'input.invalid',
      `column "${column.name}": invalid path "${column.path}" at position ${path.position}: ${path.rule}`,
    );
  }
  return new PathCell(column, path.steps, paths);
}

class PathCell implements ColumnCell {
  readonly name: string;
  readonly #path: string;
  readonly #steps: readonly PathStep[];
  readonly #rawString: boolean;
  readonly #default: string | undefined;
  readonly #paths: BodyPaths;
  readonly #node: PathNode;

  constructor(column: ColumnOf<'path'>, steps: readonly PathStep[], paths: BodyPaths) {
    this.name = column.name;
    this.#path = column.path;
    this.#steps = steps;
    this.#rawString = column.rawString;
    this.#default = defaultText(column);
    this.#paths = paths;
    this.#node = paths.add(steps);
  }

  write(event: MappedEvent, writer: LineWriter): Refusal | undefined {
    const { format } = event;
    switch (format.kind) {
      case 'json':
        return this.#writeJson(event, writer);
      case 'form':
      case 'multipart':
        return this.#writeForm(event, writer);
      case 'unsupported':
        return this.#refused('unsupportedMediaType', unsupportedType(format.contentType));
      default:
        return format satisfies never;
    }
  }

  /** Takes back what the column wants from bodies. */
  release(): void {
    this.#paths.remove(this.#node);
  }

  #writeJson(event: MappedEvent, writer: LineWriter): Refusal | undefined {
    const scan = this.#paths.scan(event);
    if (scan.fault !== undefined) {
      const { message, place } = invalidJson(event.body, scan.fault);
      return this.#refused('invalidJson', `${message}; the body was ${event.howRead}`, place);
    }
    const { slot } = this.#node;
    if (slot < 0) throw new MillraceError('internal.bug', `column "${this.name}" was used after its release`);
    const span = scan.find(slot);
    if (span === undefined) return this.#writeDefault(event, writer);
    const { start, end } = span;
    const { body } = event;
    if (!event.isBodyUtf8 && !isUtf8(body.subarray(start, end))) return invalidText(this.name, notUtf8);
    if (this.#rawString && body[start] === quote) return this.#writeRawString(body, span, writer);
    if (!span.isSpaced) return writer.writeBytes(body, start, end) ? undefined : rowTooLarge(this.name);
    const compact = compactJson(body.subarray(start, end));
    return writer.writeBytes(compact, 0, compact.length) ? undefined : rowTooLarge(this.name);
  }

  #writeRawString(body: Uint8Array, { start, end }: JsonSpan, writer: LineWriter): Refusal | undefined {
    if (hasEscape(body, start, end)) {
      return writeTextCell(this.name, unescapeJson(body.subarray(start, end)), writer);
    }
    return writer.writeBytes(body, start + 1, end - 1) ? undefined : rowTooLarge(this.name);
  }

  #writeForm(event: MappedEvent, writer: LineWriter): Refusal | undefined {
    const { form } = event;
    if (form.kind === 'invalid') {
      return this.#refused('invalidForm', `cannot parse request form: ${form.message}; the body was ${event.howRead}`);
    }
    const value = formValueAt(form.root, this.#steps);
    if (value === undefined) return this.#writeDefault(event, writer);
    const text = this.#rawString && typeof value === 'string' ? value : formJson(value);
    return text === undefined ? invalidText(this.name, notUtf8) : writeTextCell(this.name, text, writer);
  }

  #writeDefault(event: MappedEvent, writer: LineWriter): Refusal | undefined {
    if (this.#default !== undefined) return writer.writeText(this.#default) ? undefined : rowTooLarge(this.name);
    return this.#refused('pathNotFound', `path "${this.#path}" not found in the body, which was ${event.howRead}`);
  }

  #refused(reason: Refusal['reason'], message: string, place = ''): Refusal {
    return { reason, column: this.name, message, place };
  }
}

function defaultText({ name, rawString, defaultValue }: ColumnOf<'path'>): string | undefined {
  if (defaultValue === undefined) return undefined;
  if (!rawString) return JSON.stringify(defaultValue);
  const fault = textFault(defaultValue);
  if (fault !== undefined) throw new MillraceError('input.invalid', `column "${name}": invalid defaultValue: ${fault}`);
  return defaultValue;
}
