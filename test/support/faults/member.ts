import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Incarnation } from '../../../src/core/ids.ts';
import type { MillraceError } from '../../../src/core/millrace-error.ts';
import { isOnlyLate } from '../../../src/core/sink-status.ts';
import { PeriodicService } from '../../../src/core/periodic-service.ts';
import type { Service } from '../../../src/core/service.ts';
import { createTemplates } from '../../../src/mapping/jsonnet-templates.ts';
import type { Ownership } from '../../../src/ports/claimable.ts';
import type { EventLog } from '../../../src/ports/event-log.ts';
import type { Waiting } from '../../../src/ports/waiting.ts';
import { Following } from '../../../src/runtime/following.ts';
import { Supervised } from '../../../src/runtime/supervise.ts';
import { Collector } from '../../../src/stages/import/collector.ts';
import type { ImportObserver } from '../../../src/telemetry/observe-import.ts';
import { ImportService } from '../../../src/stages/import/import-service.ts';
import type { ImportRights } from '../../../src/stages/import/import-rights.ts';
import { MapService } from '../../../src/stages/map/map-service.ts';
import { MappingCache } from '../../../src/stages/map/mapping-cache.ts';
import { SchemaCache } from '../../../src/stages/map/schema-cache.ts';
import { Configuration } from '../../../src/stages/replica/configuration.ts';
import type { StageObserver } from '../../../src/telemetry/observe-stage.ts';
import { LineBlocks } from '../../../src/stages/stage/line-blocks.ts';
import { StageService } from '../../../src/stages/stage/stage-service.ts';
import { StatusBoard } from '../../../src/stages/status/status-board.ts';
import type { FakeClock } from '../fake-clock.ts';
import { ownEverything } from '../own-everything.ts';
import { remapHere } from '../remap-here.ts';
import { Faults, type Ports } from './faults.ts';
import { RetryPacing, type RetryPolicy } from '../../../src/core/retry-pacing.ts';
import { aloneIn, forgetful, PollGate } from './group-faults.ts';
import { silentImports } from '../silent-imports.ts';

export interface MemberOptions {
  readonly name: string;
  readonly clock: FakeClock;
  readonly ports: Ports;
  readonly folder: string;
  /** Roles that it has; default: map, stage and import. */
  readonly roles?: readonly Role[];
  /**
   * True for a member that does not notice who else there is: it joins groups of its own, so that it believes that it owns
   * everything.
   */
  readonly isZombie?: boolean;
  /** How many slices its stage holds in memory; default: as the product. */
  readonly lineBlocks?: number;
  /** True for one whose groups forget positions when they assign anew. */
  readonly isForgetful?: boolean;
  readonly rights?: ImportRights;
  /** Default: every store is this installation's. */
  readonly ownership?: Ownership;
}

export type Role = 'map' | 'stage' | 'import' | 'collect';

/** What a member told: alarms and losses. */
export interface Told {
  readonly failures: MillraceError[];
  readonly alarms: { readonly incarnation: Incarnation; readonly code: string; readonly role: string }[];
  readonly torn: number[];
  holes: number;
  givenUp: number;
  purged: number;
}

/** A process of the product as far as delivery goes: supervised services on ports that may have faults. */
export class Member implements AsyncDisposable {
  readonly faults = new Faults();
  readonly gate = new PollGate();
  readonly configuration: Configuration;
  readonly told: Told = { failures: [], alarms: [], torn: [], holes: 0, givenUp: 0, purged: 0 };
  readonly #options: MemberOptions;
  readonly #ports: Ports;
  readonly #aborter = new AbortController();
  readonly #services: Supervised[] = [];

  constructor(options: MemberOptions) {
    this.#options = options;
    const behind = this.faults.behind(options.ports);
    const { name, isZombie = false, isForgetful = false } = options;
    const grouped = (log: EventLog): EventLog => {
      const own = isZombie ? aloneIn(name, log) : log;
      return this.gate.behind(isForgetful ? forgetful(own) : own);
    };
    this.#ports = { ...behind, sourceLog: grouped(behind.sourceLog), sinkLog: grouped(behind.sinkLog) };
    this.configuration = new Configuration({
      catalog: this.#ports.catalog,
      onInvalid: (_, error) => this.told.failures.push(error as MillraceError),
    });
  }

  /** Starts its roles; the stores must answer. */
  async start(): Promise<void> {
    await this.configuration.load({ signal: this.#aborter.signal });
    this.#supervise(() => new Following(this.configuration));
    const make = {
      map: () => this.#map(),
      stage: () => this.#stage(),
      import: () => this.#import(),
      collect: () => this.#collect(),
    };
    for (const role of this.#options.roles ?? ['map', 'stage', 'import']) this.#supervise(make[role]);
  }

  /** Ends it as SIGTERM does: one role after the other. */
  async drain(): Promise<void> {
    for (const service of this.#services.slice(1)) await service.drain();
  }

  #supervise(make: () => Service): void {
    const { clock } = this.#options;
    const options = {
      clock,
      retry: new RetryPacing({ firstMs: 200, capMs: 30_000 }, () => 0.5),
      signal: this.#aborter.signal,
    };
    const onFailure = ({ error }: { readonly error: MillraceError }): void => void this.told.failures.push(error);
    this.#services.push(new Supervised(make, { ...options, onFailure }));
  }

  #shared(role: 'map' | 'stage' | 'import', retry: RetryPolicy) {
    const { clock, name } = this.#options;
    const { alarms } = this.told;
    const observer = {
      sinkFailed: ({ incarnation, code }: { readonly incarnation: Incarnation; readonly code: string }) => {
        // The clock of the world runs while the disk works: what is late here says nothing.
        if (!isOnlyLate({ code })) alarms.push({ incarnation, code, role });
      },
      sinkHealed: () => undefined,
    };
    const { catalog } = this.#ports;
    return {
      ...this.#ports,
      configuration: this.configuration,
      status: new StatusBoard({ catalog, clock, role, member: name, observer }),
      clock,
      retry: new RetryPacing(retry, () => 0.5),
      member: name,
      unique: () => randomUUID().replaceAll('-', ''),
    };
  }

  #map(): Service {
    return new MapService({
      ...this.#shared('map', { firstMs: 200, capMs: 30_000 }),
      schemas: new SchemaCache({ registry: undefined, clock: this.#options.clock }),
      mappings: new MappingCache(this.#ports.catalog, createTemplates()),
      observer: { outcomesAppended: () => undefined },
      maxAppendBytes: 8 * 1024 * 1024,
      pollBytes: 64 * 1024,
      fewBytes: 32 * 1024,
      lingerMs: 40,
    });
  }

  #stage(): Service {
    const { told } = this;
    const observer: StageObserver = {
      sliceSealed: () => undefined,
      topicTorn: (_, { low }) => void told.torn.push(low),
      uploadsWait: () => undefined,
      holesFound: (_, { count }) => void (told.holes += count),
    };
    const folder = join(this.#options.folder, 'local');
    return new StageService({
      ...this.#shared('stage', { firstMs: 200, capMs: 30_000 }),
      observer,
      folder,
      pollBytes: 64 * 1024,
      blocks: new LineBlocks(this.#options.lineBlocks),
    });
  }

  #observer(): ImportObserver {
    const { told } = this;
    return {
      ...silentImports,
      sliceGivenUp: () => void (told.givenUp += 1),
      holesFound: (_, { count }) => void (told.holes += count),
      incarnationPurged: () => void (told.purged += 1),
    };
  }

  #import(): Service {
    return new ImportService({
      ...this.#shared('import', { firstMs: 500, capMs: 60_000 }),
      ledger: this.#ports.tables,
      letters: this.#ports.tables,
      remapper: remapHere,
      workLog: this.#ports.sinkLog,
      ownership: this.#options.ownership ?? ownEverything,
      rights: this.#options.rights ?? { check: () => Promise.resolve() },
      observer: this.#observer(),
      concurrency: 2,
    });
  }

  #collect(): Service {
    const { clock } = this.#options;
    const collector = new Collector({ ...this.#ports, ownership: ownEverything, clock, observer: this.#observer() });
    const round = (waiting: Waiting): Promise<number> => collector.collect(waiting);
    return new PeriodicService({ id: 'collector', clock, everyMs: 30_000, round });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#aborter.abort();
    for (const service of this.#services.toReversed()) await service[Symbol.asyncDispose]();
  }
}
