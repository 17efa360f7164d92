import { MillraceError } from './millrace-error.ts';
import type { Offset } from './offset.ts';
import { traceparentHeader } from './span-context.ts';

/**
 * What a sink's mapping made of the source offsets (from, to] of one partition; `from` is -1 before the first record.
 * - `row` and `dead`: exactly one record, at `to`; `line` is the finished CSV line (a row of the sink's table, or a row
 *   of the dead letter table), its line end included.
 * - `packed`: one record, at `to`, that holds several events: what became of each of them.
 * - `filtered`: a run of records that the mapping does not want.
 * - `lost`: a run that retention took before it was mapped.
 * - `none`: a run of offsets that hold no record (transaction markers, compaction).
 */
export type Outcome = LineOutcome | PackedOutcome | RunOutcome;

export interface LineOutcome {
  readonly kind: 'row' | 'dead';
  readonly from: Offset;
  readonly to: Offset;
  readonly mappingVersion: number;
  /** Arrival of the event, milliseconds since the epoch. */
  readonly arrivedAt: number;
  readonly line: Uint8Array;
}

/** At least two events, each a row, dead or filtered. */
export interface PackedOutcome extends Omit<LineOutcome, 'kind' | 'line'>, PackedLines {
  readonly kind: 'packed';
}

/** What became of the events of one record, and the lines that they made, one after the other. */
export interface PackedLines {
  readonly rows: number;
  readonly dead: number;
  readonly filtered: number;
  readonly rowLines: Uint8Array;
  readonly deadLines: Uint8Array;
}

export interface RunOutcome {
  readonly kind: 'filtered' | 'lost' | 'none';
  readonly from: Offset;
  readonly to: Offset;
  readonly mappingVersion: number;
}

const kinds = ['row', 'dead', 'filtered', 'lost', 'none', 'packed'] as const;
const codes: Readonly<Record<Outcome['kind'], number>> = { row: 0, dead: 1, filtered: 2, lost: 3, none: 4, packed: 5 };

/** Bytes in front of the line: kind, from, to, mapping version, arrival. */
export const outcomeHeaderBytes = 1 + 8 + 8 + 4 + 8;

/** Bytes behind the header of a packed outcome: rows, dead letters, filtered events, length of the rows' lines. */
export const packedCountsBytes = 4 * 4;

const epochHeader = 'epoch';

/**
 * Headers of an outcome's record: the epoch of the source that `to` was read in, where the log counts epochs; and the span in which it was
 * mapped, where that has one.
 */
export function outcomeHeaders(epoch: number | undefined, traceparent?: string): readonly string[] {
  const counted = epoch === undefined ? [] : [epochHeader, String(epoch)];
  return traceparent === undefined ? counted : [...counted, traceparentHeader, traceparent];
}

/** The `traceparent` that `outcomeHeaders` wrote; undefined when there is none. */
export function outcomeTraceparent(headers: readonly string[]): string | undefined {
  const at = headers[0] === epochHeader ? 2 : 0;
  return headers[at] === traceparentHeader ? headers[at + 1] : undefined;
}

/** The epoch that `outcomeHeaders` wrote; undefined when there is none. */
export function outcomeEpoch(headers: readonly string[]): number | undefined {
  if (headers[0] !== epochHeader) return undefined;
  const epoch = headers[1] === '' ? Number.NaN : Number(headers[1]);
  return Number.isSafeInteger(epoch) && epoch >= 0 ? epoch : undefined;
}

/** One outcome as the value of a record. */
export function encodeOutcome(outcome: Outcome): Buffer {
  return new OutcomeEncoder([outcome]).encode(outcome);
}

/** Encodes outcomes as the values of records, all in one piece of memory. */
export class OutcomeEncoder {
  readonly #memory: Buffer;
  #end = 0;

  /** With memory for these. */
  constructor(outcomes: readonly Outcome[]) {
    this.#memory = Buffer.allocUnsafeSlow(outcomes.reduce((bytes, outcome) => bytes + encodedBytes(outcome), 0));
  }

  /** The next of them. */
  encode(outcome: Outcome): Buffer {
    const at = this.#end;
    this.#end = writeOutcome(outcome, this.#memory, at);
    return this.#memory.subarray(at, this.#end);
  }
}

function encodedBytes(outcome: Outcome): number {
  if (outcome.kind === 'packed') return outcomeHeaderBytes + packedBytes(outcome);
  return outcomeHeaderBytes + ('line' in outcome ? outcome.line.length : 0);
}

/** Answers where it ends. */
function writeOutcome(outcome: Outcome, memory: Buffer, at: number): number {
  const linesAt = at + outcomeHeaderBytes;
  memory[at] = codes[outcome.kind];
  memory.writeDoubleLE(outcome.from, at + 1);
  memory.writeDoubleLE(outcome.to, at + 9);
  memory.writeUInt32LE(outcome.mappingVersion, at + 17);
  memory.writeDoubleLE('arrivedAt' in outcome ? outcome.arrivedAt : 0, at + 21);
  if (outcome.kind === 'packed') return writePacked(outcome, memory, linesAt);
  if (!('line' in outcome)) return linesAt;
  memory.set(outcome.line, linesAt);
  return linesAt + outcome.line.length;
}

/** What `packed` takes behind the header. */
export function packedBytes({ rowLines, deadLines }: PackedLines): number {
  return packedCountsBytes + rowLines.length + deadLines.length;
}

function writePacked(packed: PackedLines, memory: Buffer, from: number): number {
  const { rows, dead, filtered, rowLines, deadLines } = packed;
  let at = from;
  for (const count of [rows, dead, filtered, rowLines.length]) at = memory.writeUInt32LE(count, at);
  memory.set(rowLines, at);
  memory.set(deadLines, at + rowLines.length);
  return at + rowLines.length + deadLines.length;
}

/** What a packed outcome has behind its header; the lines are views of `bytes`. Anything else is `internal.bug`. */
export function readPacked(bytes: Buffer): PackedLines {
  const linesAt = outcomeHeaderBytes + packedCountsBytes;
  if (bytes.length < linesAt) throw notAnOutcome(bytes.length);
  const [rows, dead, filtered, length] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(outcomeHeaderBytes + at));
  const deadAt = linesAt + (length ?? 0);
  if (deadAt > bytes.length || rows === undefined || dead === undefined || filtered === undefined)
    throw notAnOutcome(bytes.length);
  const lines = { rowLines: bytes.subarray(linesAt, deadAt), deadLines: bytes.subarray(deadAt) };
  return { rows, dead, filtered, ...lines };
}

/** Reads what `encodeOutcome` wrote; the line is a view of `bytes`, not a copy. Anything else is `internal.bug`. */
export function decodeOutcome(bytes: Uint8Array): Outcome {
  const buffer = bufferOf(bytes);
  const header = new OutcomeHeader();
  header.read(buffer);
  const { kind, from, to, mappingVersion, arrivedAt } = header;
  if (kind === 'packed') return { kind, from, to, mappingVersion, arrivedAt, ...readPacked(buffer) };
  if (kind !== 'row' && kind !== 'dead') return { kind, from, to, mappingVersion };
  return { kind, from, to, mappingVersion, arrivedAt, line: buffer.subarray(outcomeHeaderBytes) };
}

/** True for an outcome that may have lines. */
export function hasLines(kind: Outcome['kind']): boolean {
  return kind === 'row' || kind === 'dead' || kind === 'packed';
}

/** The header of an outcome, reused for each one in a loop over many outcomes, most of which make a line. */
export class OutcomeHeader {
  kind: Outcome['kind'] = 'none';
  from: Offset = -1;
  to: Offset = -1;
  mappingVersion = 0;
  /** Of an outcome with lines; else 0. */
  arrivedAt = 0;

  /** Of the memory that was read last: records of a batch share theirs. */
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** Reads the header of what `encodeOutcome` wrote, from `start` to `end` of the bytes. Anything else is `internal.bug`. */
  read(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const kind = end - start >= outcomeHeaderBytes ? kinds[bytes[start] ?? kinds.length] : undefined;
    if (kind === undefined) throw notAnOutcome(end - start);
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const view = this.#view;
    const at = bytes.byteOffset + start;
    this.kind = kind;
    this.from = view.getFloat64(at + 1, true);
    this.to = view.getFloat64(at + 9, true);
    this.mappingVersion = view.getUint32(at + 17, true);
    this.arrivedAt = view.getFloat64(at + 21, true);
    if (!isRun(this.from, this.to) || !Number.isFinite(this.arrivedAt)) throw notAnOutcome(end - start);
  }
}

/** Nobody who may write to the topic must be able to move a position to where no record can be. */
function isRun(from: Offset, to: Offset): boolean {
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= -1 && to > from;
}

/** Bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function notAnOutcome(bytes: number): MillraceError {
  return new MillraceError('internal.bug', `a sink topic holds a record that is no outcome (${bytes} bytes)`);
}
