import { setImmediate } from 'node:timers/promises';
import {
  appendSample,
  incarnationsTogether,
  lastOf,
  sampleSteps,
  samplesUntil,
  type Sample,
  type SampleBlock,
  type SampleStep,
} from '../../core/accounts/samples.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { sampleBlockOf, sampleId, samplePrefix, sampleStepPrefix } from '../../documents/document-id.ts';
import { listIds, listReadable } from '../../documents/list-documents.ts';
import type { StoredDocument } from '../../documents/read-document.ts';
import { sampleDocuments } from '../../documents/sample-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** Greater than whatever follows a prefix of ids. */
const behind = '\uffff';

/**
 * Samples in the catalog: a document for each hour or day and each group of incarnations, written once a sample. What is kept is bounded
 * by the number of blocks that have samples, not by their age: no clock makes more of them, and none makes them go at once.
 */
export class SampleStore {
  readonly #catalog: Catalog;
  /** Documents as this process wrote them last, by id: the next sample needs no read. */
  #known = new Map<string, StoredDocument<SampleBlock>>();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /**
   * Adds a sample of a step, a write for each group of incarnations in it. Does nothing where a group has one of this minute or hour, or a
   * later one. A group that cannot be written keeps no other one from it; then this rejects, and the others have their sample.
   */
  async append(step: SampleStep, { at, sinks }: Sample, options: Waiting): Promise<void> {
    const block = Math.floor(at / sampleSteps[step].blockMs);
    const groups = Map.groupBy(sinks, ({ incarnation }) => Math.floor(incarnation / incarnationsTogether));
    const known = new Map([...this.#known].filter(([id]) => !id.startsWith(sampleStepPrefix(step))));
    const failures: unknown[] = [];
    for (const [group, some] of groups) {
      const id = sampleId(step, block, group);
      const change = (before: SampleBlock | undefined): SampleBlock | undefined =>
        appendSample(before, { at, sinks: some }, step);
      try {
        const place = { kind: sampleDocuments, id, known: this.#known.get(id) };
        const left = await changeDocument(this.#catalog, { ...place, change }, options);
        if (left !== undefined) known.set(id, left);
      } catch (thrown) {
        options.signal.throwIfAborted();
        failures.push(thrown);
      }
      await setImmediate();
    }
    this.#known = known;
    if (failures.length > 0) throw failures[0];
  }

  /** When the last sample was taken, whoever took it; undefined when there is none. */
  async last(options: Waiting): Promise<number | undefined> {
    const blocks = await this.#blocks('minute', options);
    const newest = blocks.at(-1);
    if (newest === undefined) return undefined;
    const prefix = samplePrefix('minute', newest);
    const { documents } = await listReadable(this.#catalog, { kind: sampleDocuments, prefix }, options);
    const times = documents.flatMap((one) => lastOf(one) ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  /** Removes the oldest blocks of both steps, as many as there are beyond what is kept. */
  async removeOld(options: Waiting): Promise<void> {
    for (const step of ['minute', 'hour'] as const) {
      const blocks = await this.#blocks(step, options);
      for (const block of blocks.slice(0, Math.max(0, blocks.length - sampleSteps[step].blocks)))
        await this.#remove(step, block, options);
    }
  }

  /** Removes the samples that lie behind this time: they were taken by a clock that was ahead. */
  async removeAfter(at: number, options: Waiting): Promise<void> {
    for (const step of ['minute', 'hour'] as const) {
      const { blockMs } = sampleSteps[step];
      for (const block of await this.#blocks(step, options))
        if (block * blockMs > at) await this.#remove(step, block, options);
        else if ((block + 1) * blockMs > at) await this.#cut(step, { block, at }, options);
    }
  }

  /** Blocks of a step from the one that has this time on, in order, those of one time together. */
  async *read(step: SampleStep, since: number, options: Waiting): AsyncGenerator<readonly SampleBlock[]> {
    const { blockMs } = sampleSteps[step];
    for (const block of await this.#blocks(step, options)) {
      if ((block + 1) * blockMs <= since) continue;
      const prefix = samplePrefix(step, block);
      yield (await listReadable(this.#catalog, { kind: sampleDocuments, prefix }, options)).documents;
      await setImmediate();
    }
  }

  /** The times that have blocks, ascending: a look for each, however many groups it has. */
  async #blocks(step: SampleStep, options: Waiting): Promise<readonly number[]> {
    const blocks: number[] = [];
    const prefix = sampleStepPrefix(step);
    for (let after: string | undefined; ;) {
      const query = { collection: 'sample', prefix, limit: 1 } as const;
      const [first] = await this.#catalog.list({ ...query, ...(after === undefined ? {} : { after }) }, options);
      if (first === undefined) return blocks;
      const block = sampleBlockOf(first.id);
      blocks.push(block);
      after = `${samplePrefix(step, block)}${behind}`;
    }
  }

  async #cut(
    step: SampleStep,
    { block, at }: { readonly block: number; readonly at: number },
    options: Waiting,
  ): Promise<void> {
    const change = (before: SampleBlock | undefined): SampleBlock | undefined =>
      before !== undefined && (lastOf(before) ?? at) > at ? samplesUntil(before, at, step) : undefined;
    for (const id of await this.#idsOf(step, block, options)) {
      this.#known.delete(id);
      const left = await changeDocument(this.#catalog, { kind: sampleDocuments, id, change }, options);
      // Without a sample it would count as one of those that are kept.
      if (left?.value.at === '') await removeDocument(this.#catalog, { collection: 'sample', id }, options);
    }
  }

  #idsOf(step: SampleStep, block: number, options: Waiting): Promise<readonly string[]> {
    return listIds(this.#catalog, { collection: 'sample', prefix: samplePrefix(step, block) }, options);
  }

  async #remove(step: SampleStep, block: number, options: Waiting): Promise<void> {
    for (const id of await this.#idsOf(step, block, options)) {
      this.#known.delete(id);
      await removeDocument(this.#catalog, { collection: 'sample', id }, options);
    }
  }
}
