import type { Incarnation, SinkKey } from '../../../core/ids.ts';
import type { ImportNote } from '../../../core/import-note.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { SinkProgress } from '../../../core/progress/sink-progress.ts';
import { mappingId } from '../../../documents/document-id.ts';
import { mappingDocuments } from '../../../documents/mapping-document.ts';
import { readDocument } from '../../../documents/read-document.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Parts } from '../../parts.ts';
import type { TriedOutcome } from '../../trials/trials.ts';
import { readWhy, type SinkWhy } from '../why/read-why.ts';
import type { RecordEvents } from './record-events.ts';

export type TraceParts = Parameters<typeof readWhy>[0] & Pick<Parts, 'pages' | 'trials'>;

/** What one incarnation says of itself. */
export interface IncarnationFacts {
  readonly progress: SinkProgress;
  /** Read after the document: what it does not hold any more may be here. */
  readonly notes: readonly ImportNote[];
}

/** What the events of one answer ask for, asked once: the answer is of one moment for each sink. */
export class TraceSession {
  readonly parts: TraceParts;
  readonly #options: Waiting;
  readonly #facts = new Map<Incarnation, Promise<IncarnationFacts | undefined>>();
  readonly #whys = new Map<string, Promise<SinkWhy | undefined>>();
  readonly #mappings = new Map<string, Promise<Mapping | undefined>>();
  readonly #outcomes = new WeakMap<RecordEvents, Map<string, Promise<readonly TriedOutcome[] | undefined>>>();

  constructor(parts: TraceParts, options: Waiting) {
    this.parts = parts;
    this.#options = options;
  }

  get options(): Waiting {
    return this.#options;
  }

  /** Undefined for one whose document is gone. */
  factsOf(incarnation: Incarnation): Promise<IncarnationFacts | undefined> {
    return once(this.#facts, incarnation, async () => {
      const { definitions } = this.parts;
      const progress = await definitions.progress(incarnation, this.#options);
      return progress && { progress, notes: await definitions.imports(incarnation, this.#options) };
    });
  }

  /** Undefined for a sink that has nothing to tell any more. */
  whyOf(key: SinkKey): Promise<SinkWhy | undefined> {
    return once(this.#whys, key.sinkId, async () => {
      try {
        return await readWhy(this.parts, key, this.#options);
      } catch (thrown) {
        if (thrown instanceof MillraceError && thrown.code === 'sink.notFound') return undefined;
        throw thrown;
      }
    });
  }

  /** Undefined when the catalog does not have it any more. */
  mappingOf(incarnation: Incarnation, version: number): Promise<Mapping | undefined> {
    const id = mappingId(incarnation, version);
    return once(this.#mappings, id, async () => {
      const found = await readDocument(this.parts.catalog, { kind: mappingDocuments, id }, this.#options);
      return found?.value;
    });
  }

  /**
   * What a mapping makes of the events of a record; undefined when it cannot be run again here: it is gone, the body is
   * made by a schema, or others wait for the thread that tries mappings.
   */
  outcomesOf(record: RecordEvents, mapping: Mapping | undefined): Promise<readonly TriedOutcome[] | undefined> {
    if (mapping === undefined || record.isDecoded) return Promise.resolve(undefined);
    const known = this.#outcomes.get(record) ?? new Map<string, Promise<readonly TriedOutcome[] | undefined>>();
    this.#outcomes.set(record, known);
    return once(known, `${mapping.incarnation}/${mapping.version}`, async () => {
      try {
        const [outcomes] = await this.parts.trials.outcomes({ mapping, records: [record.events] }, this.#options);
        return outcomes;
      } catch (thrown) {
        this.#options.signal.throwIfAborted();
        this.parts.telemetry.log.debug({ err: thrown }, 'a mapping not run again');
        return undefined;
      }
    });
  }
}

function once<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
