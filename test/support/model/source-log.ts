import type { EpochEnd } from '../../../src/core/progress/cut.ts';
import { ModelLog } from './model-log.ts';

interface Epoch {
  readonly epoch: number;
  readonly from: number;
}

/** One partition of the source: true where it holds an event. What other producers write in a transaction is read when that has ended. */
export class SourceLog extends ModelLog<boolean> {
  /** Offsets of the records of open transactions, each in order. */
  readonly #open: number[][] = [];
  /** Epochs that have records, and the last one, in order, each with the offset that it began at. */
  #epochs: readonly Epoch[] = [{ epoch: 0, from: 0 }];
  /** Truth: what stood from here on was lost at some time. */
  lostFrom = Number.POSITIVE_INFINITY;

  /** The epoch that the record at the offset was taken in, and the offset behind its last one. */
  epochOf(offset: number): EpochEnd {
    const next = this.#epochs.findIndex(({ from }) => from > offset);
    const { epoch = 0 } = this.#epochs.at(next === -1 ? -1 : next - 1) ?? {};
    return { epoch, end: next === -1 ? this.end : (this.#epochs[next]?.from ?? this.end) };
  }

  /** What the log has of an epoch, as its leader says. */
  epochEnd(epoch: number): EpochEnd {
    const last = this.#epochs.findLast((one) => one.epoch <= epoch && one.from < this.end);
    // As Kafka says it of an epoch before all that it has.
    return last === undefined ? { epoch, end: this.#epochs[0]?.from ?? 0 } : this.epochOf(last.from);
  }

  /** Somebody else leads, who has nothing from the offset on. */
  elect(from: number): void {
    const { epoch = 0 } = this.#epochs.at(-1) ?? {};
    if (from < this.end) this.lostFrom = Math.min(this.lostFrom, from);
    this.cut(from);
    this.#epochs = [...this.#epochs.filter((one) => one.from < from), { epoch: epoch + 1, from }];
  }

  get isCut(): boolean {
    return this.lostFrom < Number.POSITIVE_INFINITY;
  }

  get openTransactions(): number {
    return this.#open.length;
  }

  /** What can be read lies below it. */
  get stableEnd(): number {
    return Math.min(this.end, ...this.#open.map(([first]) => first ?? this.end));
  }

  begin(): void {
    this.#open.push([this.end]);
    this.append(true);
  }

  /** One more record of an open transaction. */
  extend(transaction: number): void {
    this.#open[transaction]?.push(this.end);
    this.append(true);
  }

  /** The record at this offset is no event. */
  forget(offset: number): void {
    this.replace(offset, false);
  }

  /** Ends a transaction and writes its marker; answers the offsets of its records. */
  resolve(transaction: number): readonly number[] {
    const [offsets = []] = this.#open.splice(transaction, 1);
    this.append(false);
    return offsets;
  }
}
