import type { Clock } from '../../core/clock.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import type { Partition } from '../../core/offset.ts';
import { failureKind } from '../../core/progress/failure-kind.ts';
import { parkDamaged, unparkDamaged } from '../../core/progress/parked.ts';
import type { ParkedSlice, SinkProgress, StagedSlice } from '../../core/progress/sink-progress.ts';
import type { Incarnation } from '../../core/ids.ts';
import { shortened } from '../../core/shortened.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { StatusBoard } from '../status/status-board.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import type { LastingFailures } from './lasting-failures.ts';
import type { RetryPacing, RetryPolicy } from '../../core/retry-pacing.ts';
import type { SinkDocument } from './sink-document.ts';

export interface DamagedSlicesOptions {
  readonly clock: Clock;
  readonly status: StatusBoard;
  /** Of the importer. */
  readonly retry: RetryPacing;
  readonly incarnation: Incarnation;
  readonly document: SinkDocument;
  readonly lasting: LastingFailures;
  readonly observer: Pick<ImportObserver, 'sliceDamaged'>;
}

interface Tries {
  readonly failed: number;
  /** On the monotonic clock. */
  readonly retryAt: number;
}

/** Of what a table store says, beside a parked slice. */
const messageLength = 500;
/** Each try is an import, with a place in the ledger. */
const policy: RetryPolicy = { firstMs: 5000, capMs: 15 * 60_000 };

/**
 * The clocks and alarms of parked slices that cannot be imported even alone. Each has a clock of its own. The alarm is
 * that of their partition, so that it does not hide anything else that holds the sink up.
 */
export class DamagedSlices {
  readonly #options: DamagedSlicesOptions;
  /** By slice id; one that this process has not tried yet is due. */
  readonly #tries = new Map<string, Tries>();
  readonly #alarmed = new Set<Partition>();
  /** A damaged slice was tried last. */
  #wasTried = false;

  constructor(options: DamagedSlicesOptions) {
    this.#options = options;
  }

  /** Monotonic time at which the first of them is tried again; undefined while there is none. */
  dueAt({ parked }: Pick<SinkProgress, 'parked'>): number | undefined {
    const first = this.#first(parked);
    return first === undefined ? undefined : this.#retryAt(first);
  }

  #due({ parked }: Pick<SinkProgress, 'parked'>): ParkedSlice | undefined {
    const first = this.#first(parked);
    return first !== undefined && this.#retryAt(first) <= this.#options.clock.monotonic() ? first : undefined;
  }

  /** Sets a slice aside that failed alone, with an alarm; answers the document as it stands then. */
  async park(slice: StagedSlice, error: MillraceError, { signal }: Waiting): Promise<SinkProgress | undefined> {
    const { clock, document, observer, lasting } = this.#options;
    const damage = { code: error.code, message: shortened(error.message, messageLength) };
    const change = { sliceId: slice.id, at: clock.now(), damage };
    const after = await document.apply((progress) => parkDamaged(progress, change), { signal });
    // Refused: it was loaded after all, or somebody else deals with it.
    if (after?.applied !== true) return after?.value;
    observer.sliceDamaged(after.value, { slice, reason: damage.message });
    this.#failed(slice, error);
    // What cannot be read, or is too much, may be whole: it is never given up.
    if (failureKind(error.code) !== 'damage') return after.value;
    const isSlice = ({ id }: StagedSlice): boolean => id === slice.id;
    return (await lasting.note(({ parked }) => parked.filter(isSlice), error, { signal })) ?? after.value;
  }

  /** Brings back the one whose turn it is, to be imported alone; the second one waits while an import is due anyway. */
  async unparkDue(
    progress: SinkProgress,
    { othersWait, signal }: Waiting & { readonly othersWait: boolean },
  ): Promise<SinkProgress> {
    const slice = this.#due(progress);
    const isTurn = slice !== undefined && !(othersWait && this.#wasTried);
    this.#wasTried = isTurn;
    if (!isTurn) return progress;
    const transition = (held: SinkProgress) => unparkDamaged(held, slice.id);
    return this.#options.document.after(transition, { signal, otherwise: progress });
  }

  /** It failed alone: raises the alarm, and sets its clock. */
  #failed({ id, partition }: StagedSlice, error: MillraceError): void {
    const { clock, status, retry, incarnation } = this.#options;
    const failed = (this.#tries.get(id)?.failed ?? 0) + 1;
    const delay = retry.withPolicy(policy).pauseMs(failed);
    this.#tries.set(id, { failed, retryAt: clock.monotonic() + delay });
    this.#alarmed.add(partition);
    status.report({ incarnation, partition }, error, delay);
  }

  /** Whoever changes the sink sees at once whether that has healed it. */
  hurry(): void {
    for (const [id, { failed }] of this.#tries) this.#tries.set(id, { failed, retryAt: 0 });
  }

  /** Takes back what is told of slices that are not parked any more. */
  settle({ parked }: Pick<SinkProgress, 'parked'>): void {
    const damaged = parked.filter(({ damage }) => damage !== undefined);
    const ids = new Set(damaged.map(({ id }) => id));
    for (const id of this.#tries.keys()) if (!ids.has(id)) this.#tries.delete(id);
    const partitions = new Set(damaged.map(({ partition }) => partition));
    const { status, incarnation } = this.#options;
    for (const partition of this.#alarmed) {
      if (partitions.has(partition)) continue;
      this.#alarmed.delete(partition);
      status.clear({ incarnation, partition });
    }
  }

  #first(parked: readonly ParkedSlice[]): ParkedSlice | undefined {
    let first: ParkedSlice | undefined;
    for (const slice of parked) {
      if (slice.damage === undefined) continue;
      if (first === undefined || this.#retryAt(slice) < this.#retryAt(first)) first = slice;
    }
    return first;
  }

  #retryAt({ id }: StagedSlice): number {
    return this.#tries.get(id)?.retryAt ?? Number.NEGATIVE_INFINITY;
  }
}
