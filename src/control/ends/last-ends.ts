import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { SourceEnds } from '../../core/progress/source-ends.ts';
import { lastEnds, reaches } from '../../core/progress/switch.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { OutcomeEnds } from './outcome-ends.ts';
import { endsUnlessLost } from './read-ends.ts';

/**
 * Ends at which an incarnation may be deleted. They are those of its source topic. Where that topic has lost what the
 * document knows, is gone, or is another one, they are the ends of what the sink's own topic has outcomes for. That
 * topic is read once, however often the ends are asked for.
 */
export class LastEnds {
  readonly #sourceLog: EventLog;
  readonly #outcomes: OutcomeEnds;

  constructor({ sourceLog, sinkLog }: { readonly sourceLog: EventLog; readonly sinkLog: EventLog }) {
    this.#sourceLog = sourceLog;
    this.#outcomes = new OutcomeEnds(sinkLog);
  }

  async read(progress: SinkProgress, options: Waiting): Promise<SourceEnds> {
    const found = await endsUnlessLost(this.#sourceLog, progress.topics, options);
    if (found !== undefined && reaches(progress, found)) return found;
    return lastEnds(progress, found, await this.#outcomes.read(progress.topics, options));
  }
}
