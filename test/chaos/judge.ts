import { chaosEvent, textOf } from './event.ts';
import type { Oracle, Period, Places } from './oracle.ts';
import type { ChaosSink, Fate } from './shop.ts';

export type Row = Readonly<Record<string, string>>;

/** What was found in the tables of one sink: numbers of events. */
export interface Found {
  readonly rows: ReadonlySet<number>;
  readonly dead: ReadonlySet<number>;
}

/**
 * Compares what is in tables with what clients know. Every method throws at the first event that is lost, double, invented, altered
 * or where it must not be.
 */
export class Judge {
  readonly #oracle: Oracle;
  readonly #places: Places | undefined;
  /** The id of an event is the same everywhere. */
  readonly #ids = new Map<number, string>();

  /** `places`: of all events in the topic of the source, where somebody else than the product has read it. */
  constructor(oracle: Oracle, places?: Places) {
    this.#oracle = oracle;
    this.#places = places;
  }

  /** Reads the rows of a sink's table and its dead letters, each one once and as it must be. */
  async read(
    sink: ChaosSink,
    { rows, dead }: { readonly rows: AsyncIterable<Row>; readonly dead: readonly Row[] },
  ): Promise<Found> {
    const found = { rows: new Set<number>(), dead: new Set<number>() };
    for await (const row of rows) {
      const number = this.#place(sink, { fate: 'row', number: Number(row['n']), id: row['id'] ?? '' }, found.rows);
      const wrong = row['text'] === textOf(number) ? sink.wrongCell?.(number, row) : `text ${row['text']}`;
      if (wrong !== undefined) throw new Error(`event ${number} is altered in ${sink.tableId}: ${wrong}`);
    }
    for (const letter of dead) {
      const body = Buffer.from(letter['body'] ?? '', 'base64').toString();
      const { n } = JSON.parse(body) as { readonly n: number };
      const number = this.#place(sink, { fate: 'dead', number: n, id: letter['event_id'] ?? '' }, found.dead);
      if (body !== chaosEvent(number).body) throw new Error(`event ${number} is altered in a dead letter: ${body}`);
    }
    return found;
  }

  #place(
    { sinkId, fateOf }: ChaosSink,
    { fate, number, id }: { readonly fate: Fate; readonly number: number; readonly id: string },
    found: Set<number>,
  ): number {
    const where = `sink "${sinkId}" as ${fate}`;
    if (found.has(number)) throw new Error(`D3: event ${number} is twice in ${where}`);
    if (!(number >= 1 && number <= this.#oracle.sent)) throw new Error(`event ${number} is in ${where}, never sent`);
    if (fateOf(chaosEvent(number)) !== fate) throw new Error(`event ${number} is in ${where}, where it must not be`);
    const { status = 500, told = '' } = this.#oracle.posted(number) ?? {};
    if (status >= 300 && status < 500)
      throw new Error(
        `D9: event ${number} was refused with ${status} (${told}), and is in ${where}; ${this.#placeOf(number)}`,
      );
    if (this.#places?.has(number) === false)
      throw new Error(`event ${number} is in ${where}, and not in the topic of its source`);
    const known = this.#ids.get(number) ?? id;
    if (known !== id) throw new Error(`event ${number} has id ${id} in ${where}, elsewhere ${known}`);
    this.#ids.set(number, id);
    found.add(number);
    return number;
  }

  /** What somebody else has read of it, for a person. */
  #placeOf(number: number): string {
    if (this.#places === undefined) return 'nobody else has read the topic of its source';
    const place = this.#places.get(number);
    if (place === undefined) return 'Kafka itself shows no such committed record';
    return `Kafka itself shows it as committed at offset ${place.offset} of partition ${place.partition}`;
  }

  /** A sink that took everything has each acknowledged event, and of the others just those that are `stored`. */
  requireAll({ sinkId, fateOf }: ChaosSink, found: Found, stored: Iterable<number>): void {
    const require = (numbers: Iterable<number>, why: string): void => {
      const lost = [...numbers].filter((number) => {
        const fate = fateOf(chaosEvent(number));
        return (fate === 'row' && !found.rows.has(number)) || (fate === 'dead' && !found.dead.has(number));
      });
      if (lost.length === 0) return;
      const some = lost.slice(0, 5).join(', ');
      throw new Error(`D2: sink "${sinkId}" lacks ${lost.length} events that ${why}, for example ${some}`);
    };
    require(this.#oracle.acknowledged, 'were acknowledged');
    require(stored, this.#places === undefined ? 'another sink of the source has' : 'the topic of the source has');
  }

  /** A sink that came and went has what was acknowledged while it was there. Answers of how many events that is certain. */
  requireInside({ sinkId }: ChaosSink, { rows }: Found, periods: readonly Period[]): number {
    const certain = this.#within(periods.filter(({ isTaking }) => isTaking));
    const lost = certain.find((number) => !rows.has(number));
    if (lost !== undefined) throw new Error(`D2: event ${lost} is not in sink "${sinkId}"`);
    return certain.length;
  }

  /** And it has nothing that was sent while it was not there. Answers of how many events that is certain. */
  requireNoneOutside({ sinkId }: ChaosSink, { rows }: Found, periods: readonly Period[]): number {
    const certain = this.#within(periods.filter(({ isTaking }) => !isTaking));
    const taken = certain.find((number) => rows.has(number));
    if (taken !== undefined) throw new Error(`event ${taken} was sent while sink "${sinkId}" was away, and is there`);
    return certain.length;
  }

  #within(periods: readonly Period[]): readonly number[] {
    return [...this.#oracle.acknowledged].filter((number) => periods.some((one) => this.#isWithin(number, one)));
  }

  #isWithin(number: number, { from, to, below }: Period): boolean {
    const event = this.#oracle.posted(number);
    if (event === undefined || event.startedAt < from) return false;
    if (below === undefined) return event.endedAt <= to;
    const place = this.#places?.get(number);
    return place !== undefined && place.offset < (below[place.partition] ?? 0);
  }
}
