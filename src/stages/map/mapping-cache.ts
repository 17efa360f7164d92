import { mappingId } from '../../documents/document-id.ts';
import { requireDocument } from '../../documents/read-document.ts';
import { mappingDocuments } from '../../documents/mapping-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { BodyPaths } from '../../mapping/body-paths.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/compile-mapping.ts';
import type { TemplateCompiler } from '../../mapping/template.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** Compiled mappings of sinks; a version never changes, so each is read and compiled once. */
export class MappingCache {
  readonly #catalog: Catalog;
  readonly #templates: TemplateCompiler;
  readonly #compiled = new Map<Incarnation, CompiledMapping>();
  readonly #topics = new Map<Incarnation, string>();
  /** How many sinks of a topic have a mapping here. */
  readonly #sinks = new Map<string, number>();
  readonly #retired = new Set<CompiledMapping>();
  /** By source topic: the sinks of a source share one reading of each body. */
  readonly #paths = new Map<string, BodyPaths>();

  constructor(catalog: Catalog, templates: TemplateCompiler) {
    this.#catalog = catalog;
    this.#templates = templates;
  }

  /**
   * The mapping that a sink's document names. `catalog.invalidDocument` when it is missing or wrong, `input.invalid` when it
   * does not compile.
   */
  async load({ incarnation, mappingVersion, topics }: SinkProgress, options: Waiting): Promise<CompiledMapping> {
    const known = this.#compiled.get(incarnation);
    if (known?.mapping.version === mappingVersion) return known;
    const id = mappingId(incarnation, mappingVersion);
    const mapping = await requireDocument(this.#catalog, { kind: mappingDocuments, id }, options);
    const compiled = compileMapping(mapping, {
      templates: this.#templates,
      paths: this.#pathsOf(topics.source),
    });
    const latest = this.#compiled.get(incarnation);
    if (latest !== undefined && latest.mapping.version >= mappingVersion) {
      // Another partition was quicker.
      compiled.release();
      return latest;
    }
    if (latest !== undefined) this.#retired.add(latest);
    this.#compiled.set(incarnation, compiled);
    if (latest === undefined) this.#noteTopic(incarnation, topics.source);
    return compiled;
  }

  /** Lets go of what no sink needs any more: mappings that were replaced or whose sink is gone, and that nobody uses now. */
  release(isAlive: (incarnation: Incarnation) => boolean, used: ReadonlySet<CompiledMapping>): void {
    for (const [incarnation, compiled] of this.#compiled) {
      if (isAlive(incarnation)) continue;
      this.#compiled.delete(incarnation);
      this.#retired.add(compiled);
      this.#forgetTopic(incarnation);
    }
    for (const compiled of this.#retired) {
      if (used.has(compiled)) continue;
      this.#retired.delete(compiled);
      compiled.release();
    }
  }

  #noteTopic(incarnation: Incarnation, topic: string): void {
    this.#topics.set(incarnation, topic);
    this.#sinks.set(topic, (this.#sinks.get(topic) ?? 0) + 1);
  }

  /** The paths of a topic go with its last sink. */
  #forgetTopic(incarnation: Incarnation): void {
    const topic = this.#topics.get(incarnation);
    if (topic === undefined) return;
    this.#topics.delete(incarnation);
    const left = (this.#sinks.get(topic) ?? 1) - 1;
    if (left > 0) this.#sinks.set(topic, left);
    else {
      this.#sinks.delete(topic);
      this.#paths.delete(topic);
    }
  }

  #pathsOf(topic: string): BodyPaths {
    const paths = this.#paths.get(topic) ?? new BodyPaths();
    this.#paths.set(topic, paths);
    return paths;
  }
}
