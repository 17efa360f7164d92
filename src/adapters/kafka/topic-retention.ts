import type { RetentionLimits } from '../../core/retention-limits.ts';
import { isPassing, kafkaErrorType } from './errors.ts';

const freshMs = 60_000;

/** What brokers remove of topics by themselves, asked for once a minute at most. */
export class TopicRetention {
  readonly #settings: (topic: string) => Promise<ReadonlyMap<string, string>>;
  readonly #now: () => number;
  readonly #known = new Map<string, { readonly until: number; readonly limits: RetentionLimits | undefined }>();

  /** `settings` reads those of a topic from the brokers, `now` a clock that never jumps. */
  constructor(
    settings: (topic: string) => Promise<ReadonlyMap<string, string>>,
    now: () => number = () => performance.now(),
  ) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Undefined where nothing is removed, where there is no topic, and where the brokers refuse to tell. */
  async of(topic: string): Promise<RetentionLimits | undefined> {
    const now = this.#now();
    for (const [name, { until }] of this.#known) if (until <= now) this.#known.delete(name);
    const known = this.#known.get(topic);
    if (known !== undefined) return known.limits;
    const limits = await this.#ask(topic);
    this.#known.set(topic, { until: now + freshMs, limits });
    return limits;
  }

  async #ask(topic: string): Promise<RetentionLimits | undefined> {
    try {
      return limitsOf(await this.#settings(topic));
    } catch (thrown) {
      const type = kafkaErrorType(thrown);
      if (type === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
      // Whoever may not describe is told so by name; a broker that is away has no answer, and the next call asks again.
      if (type === undefined || isPassing(thrown)) throw thrown;
      return undefined;
    }
  }
}

/** Without `delete` among its policies a topic is compacted only. */
function limitsOf(settings: ReadonlyMap<string, string>): RetentionLimits | undefined {
  if (!(settings.get('cleanup.policy') ?? 'delete').split(',').includes('delete')) return undefined;
  const maxAgeMs = limitIn(settings.get('retention.ms'));
  const maxBytes = limitIn(settings.get('retention.bytes'));
  if (maxAgeMs === undefined && maxBytes === undefined) return undefined;
  return { ...(maxAgeMs === undefined ? {} : { maxAgeMs }), ...(maxBytes === undefined ? {} : { maxBytes }) };
}

/** Brokers say -1 for no limit. */
function limitIn(text: string | undefined): number | undefined {
  const value = Number(text ?? '-1');
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
