import type { ErrorCode } from '../../core/error-catalogue.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import { parseObjectName } from '../../core/object-name.ts';
import { parseTopicName } from '../../core/topic-name.ts';
import type { Claimable, ClaimedStore } from '../../ports/claimable.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';
import { FreeNumbers } from './free-numbers.ts';
import { StagingMark } from './staging-mark.ts';

/** A store with what is looked at before it gets its first mark. */
export interface MarkedStore {
  readonly name: ClaimedStore;
  /** What its silence is. */
  readonly silence: ErrorCode;
  readonly mark: Claimable;
  /** Incarnations that something in it belongs to; one may come again. */
  incarnations(options: Waiting): AsyncIterable<Incarnation>;
  /** Whether something in it belongs to this one. */
  holds(incarnation: Incarnation, options: Waiting): Promise<boolean>;
}

export function markedStaging(objects: ObjectStore): MarkedStore {
  async function* incarnationsBelow(prefix: string, options: Waiting): AsyncIterable<Incarnation> {
    for await (const { name } of objects.list(prefix, options)) {
      const parsed = parseObjectName(name);
      if (parsed !== undefined) yield parsed.incarnation;
    }
  }
  return {
    name: 'staging',
    silence: 'objects.unavailable',
    mark: new StagingMark(objects),
    incarnations: (options) => incarnationsBelow('', options),
    holds: (incarnation, options) => includes(incarnationsBelow(`${incarnation}/`, options), incarnation),
  };
}

/** What the topics of each log begin with; in a cluster both logs have all of them. */
const families = { 'source-log': 'source.', 'sink-log': 'sink.' } as const;

export function markedLog(name: keyof typeof families, log: EventLog): MarkedStore {
  async function* incarnations(options: Waiting): AsyncIterable<Incarnation> {
    for (const topic of await log.listTopics(families[name], options)) {
      const parsed = parseTopicName(topic);
      // The first existence of a source has no number: its topic may belong to any installation.
      if (parsed !== undefined && parsed.incarnation > 1) yield parseIncarnation(parsed.incarnation);
    }
  }
  const free = new FreeNumbers();
  return {
    name,
    silence: 'log.unavailable',
    mark: log,
    incarnations,
    // Each sink that is made asks: a look through all topics each time would cost more with each.
    holds: async (incarnation, options) => {
      if (free.isFree(incarnation)) return false;
      let highest = 0;
      let isHeld = false;
      for await (const found of incarnations(options)) {
        highest = Math.max(highest, found);
        isHeld ||= found === incarnation;
      }
      free.looked(incarnation, highest);
      return isHeld;
    },
  };
}

/** Tables are told apart by identity, not by incarnation: only the ledger has a row of each, which nobody lists. */
export function markedTables(tables: Claimable & Pick<ImportLedger, 'readLedger'>): MarkedStore {
  return {
    name: 'tables',
    silence: 'table.unavailable',
    mark: tables,
    incarnations: async function* incarnations() {},
    holds: async (incarnation, options) => (await tables.readLedger(incarnation, options)) !== undefined,
  };
}

async function includes(incarnations: AsyncIterable<Incarnation>, wanted: Incarnation): Promise<boolean> {
  for await (const incarnation of incarnations) if (incarnation === wanted) return true;
  return false;
}
