import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { Definitions, type DefinitionsOptions } from './definitions.ts';
import { Replica, type Held } from './replica.ts';

/** What the stages know of sources, sinks and their progress, without asking: the definitions, and a replica of one collection more. */
export class Configuration extends Definitions {
  readonly progress: Replica<SinkProgress>;

  constructor(options: DefinitionsOptions) {
    super(options);
    const { catalog, onInvalid } = options;
    this.progress = new Replica({ catalog, kind: progressDocuments, onInvalid, dropsNewer: true });
  }

  protected override get replicas(): Definitions['replicas'] {
    return [...super.replicas, this.progress];
  }

  progressOf(incarnation: Incarnation): Held<SinkProgress> | undefined {
    return this.progress.get(progressId(incarnation));
  }

  /** The sink of an incarnation, if it has a document. */
  keyOf(incarnation: Incarnation): SinkKey | undefined {
    return this.progressOf(incarnation)?.value.key;
  }
}
