import type { ColumnOf, ColumnType } from '../core/column.ts';
import type { Refusal } from '../core/dead-letter.ts';
import { limits } from '../core/limits.ts';
import type { Mapping } from '../core/mapping.ts';
import { SharedSteps } from '../jsonnet/shared-steps.ts';
import { BodyPaths } from './body-paths.ts';
import type { ColumnCell } from './column-cell.ts';
import type { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';
import { pathCell } from './path-cell.ts';
import { plainCells } from './plain-cells.ts';
import { eventTooLarge } from './refusals.ts';
import { templateCell, type TemplateTools } from './template-cell.ts';
import type { TemplateCompiler } from './template.ts';

/** What templates may take for all events of one record together. */
export type RecordSteps = SharedSteps;

export interface CompileOptions {
  readonly templates: TemplateCompiler;
  /** Give the same object for all sinks of a source, and each body is read once for all of them; see `release`. */
  readonly paths?: BodyPaths;
}

export type MapResult =
  { readonly kind: 'row' } | { readonly kind: 'filtered' } | { readonly kind: 'dead'; readonly refusal: Refusal };

/** Compiles the columns of a mapping; a column that no event could satisfy is `input.invalid` and names it. */
export function compileMapping(mapping: Mapping, options: CompileOptions): CompiledMapping {
  const paths = options.paths ?? new BodyPaths();
  const { templates } = options;
  const rowSteps = new SharedSteps(templates.rowSteps);
  const cells: ColumnCell[] = [];
  try {
    for (const column of mapping.columns) cells.push(compileColumn(column, { paths, templates, rowSteps }));
  } catch (thrown) {
    for (const cell of cells) cell.release?.();
    throw thrown;
  }
  return new CompiledMapping(mapping, cells, rowSteps);
}

/** What cells of a mapping share. */
interface CellTools extends TemplateTools {
  readonly paths: BodyPaths;
}

const cellOfType: { readonly [T in ColumnType]: (column: ColumnOf<T>, tools: CellTools) => ColumnCell } = {
  ...plainCells,
  path: (column, { paths }) => pathCell(column, paths),
  template: templateCell,
};

function compileColumn<T extends ColumnType>(column: ColumnOf<T>, tools: CellTools): ColumnCell {
  return cellOfType[column.type](column, tools);
}

const row: MapResult = { kind: 'row' };
const filtered: MapResult = { kind: 'filtered' };

/** A mapping made ready to turn events into CSV lines. */
export class CompiledMapping {
  readonly mapping: Mapping;
  readonly cells: readonly ColumnCell[];
  readonly #rowSteps: SharedSteps;

  constructor(mapping: Mapping, cells: readonly ColumnCell[], rowSteps: SharedSteps) {
    this.mapping = mapping;
    this.cells = cells;
    this.#rowSteps = rowSteps;
  }

  /** Call before the first cell of a row is written. Its templates have the steps of a row, or fewer: `most`. */
  beginRow(most?: number): void {
    this.#rowSteps.refill(most);
  }

  /** For a record that holds several events. */
  stepsOfRecord(): RecordSteps {
    return new SharedSteps(this.#rowSteps.most * limits.stepsOfRecord);
  }

  /** For a mapping that is no longer used: the other mappings that share its paths no longer look for them. */
  release(): void {
    for (const cell of this.cells) cell.release?.();
  }

  /** False for an event whose signal the mapping does not take. */
  wants(event: MappedEvent): boolean {
    const { allowedSignals } = this.mapping;
    if (allowedSignals.length === 0) return true;
    const { signal } = event;
    return signal === undefined || allowedSignals.includes(signal);
  }

  /**
   * Writes the CSV line of an event, its line end included, at the end of `writer`; `writer.line()` is the line. When
   * the event is filtered or dead, nothing is written. Never throws for what an event contains. An event of a record that
   * holds several takes its steps of `record`.
   */
  mapEvent(event: MappedEvent, writer: LineWriter, record?: RecordSteps): MapResult {
    if (!this.wants(event)) return filtered;
    if (event.body.length > limits.eventBytes) return { kind: 'dead', refusal: eventTooLarge(event.body.length) };
    this.beginRow(record?.left);
    const { left } = this.#rowSteps;
    const result = this.#writeCells(event, writer);
    record?.take(left - this.#rowSteps.left);
    return result;
  }

  #writeCells(event: MappedEvent, writer: LineWriter): MapResult {
    writer.begin();
    for (const cell of this.cells) {
      const refusal = cell.write(event, writer);
      if (refusal !== undefined) {
        writer.rollback();
        return { kind: 'dead', refusal };
      }
    }
    writer.end();
    return row;
  }
}
