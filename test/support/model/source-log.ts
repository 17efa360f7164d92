import { ModelLog } from './model-log.ts';

/** One partition of the source: true where it holds an event. What other producers write in a transaction is read when that has ended. */
export class SourceLog extends ModelLog<boolean> {
  /** Offsets of the records of open transactions, each in order. */
  readonly #open: number[][] = [];

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
