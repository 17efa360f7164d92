import { resolve } from 'node:path';
import { usualDataDir } from '../../config/config.ts';
import type { Brand } from '../../core/brand.ts';
import type { ClientOptions, CommandContext } from '../command-context.ts';
import { isSink, type ObjectName } from '../object-name.ts';
import { shellWord } from './shell-word.ts';

/** A line that a person can paste into the shell as it stands. `PasteLines` alone makes them. */
export type PasteLine = Brand<string, 'PasteLine'>;

/** Which process and which branch the next command is about, and how the program is called there. */
export interface PastePlace {
  readonly program: string;
  /** Absent: the shell finds the process without being told. */
  readonly dataDir?: string;
  /** Absent: "default". */
  readonly branch?: string;
}

/** The place of a command that a person has typed: what it was told of process and branch, the next one is told, too. */
export function pastePlace(context: CommandContext, options: Partial<ClientOptions> = {}): PastePlace {
  const { branch = 'default', dataDir: given } = options;
  const overrides = given === undefined ? {} : { MILLRACE_DATA_DIR: given, MILLRACE_URL: '' };
  const { client, dataDir } = context.config(overrides);
  const isFound = client.url !== undefined || dataDir === resolve(usualDataDir);
  return { program: context.program, ...(isFound ? {} : { dataDir }), ...(branch === 'default' ? {} : { branch }) };
}

/** Each command line that is printed for a person to type next. What it names exists where the line is printed. */
export class PasteLines {
  readonly #place: PastePlace;

  constructor(place: PastePlace) {
    this.#place = place;
  }

  start(): PasteLine {
    return this.#line('start');
  }

  createSource(name: string): PasteLine {
    return this.#line('source', 'create', name);
  }

  createSink(sourceId: string, tableId: string): PasteLine {
    return this.#line('sink', 'create', sourceId, 'Events', '--table', tableId);
  }

  /** The body of one event is one line. */
  sendEvent(sourceId: string, body: string): PasteLine {
    return `echo ${shellWord(body)} | ${this.#line('send', '-', '--source', sourceId)}` as PasteLine;
  }

  flush(sourceId: string): PasteLine {
    return this.#line('flush', sourceId);
  }

  showTable(tableId: string): PasteLine {
    return this.#line('table', 'show', tableId);
  }

  killJob(jobId: string): PasteLine {
    return this.#line('job', 'kill', jobId);
  }

  followJob(jobId: string): PasteLine {
    return this.#line('job', 'log', jobId, '--follow');
  }

  progress(): PasteLine {
    return this.#line('progress');
  }

  /** Of one source, or of all. */
  deadLetters(sourceId?: string): PasteLine {
    return this.#line('dead-letters', ...(sourceId === undefined ? [] : [sourceId]));
  }

  showSource(sourceId: string): PasteLine {
    return this.#line('source', 'show', sourceId);
  }

  /** Those of the operator, too. */
  settings(name: ObjectName): PasteLine {
    return isSink(name)
      ? this.#line('sink', 'settings', 'show', name.sourceId, name.sinkId, '--all')
      : this.#line('source', 'settings', 'show', name.sourceId, '--all');
  }

  #line(...words: readonly string[]): PasteLine {
    const { program, dataDir, branch } = this.#place;
    const where = [
      ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
      ...(branch === undefined ? [] : ['--branch', branch]),
    ];
    return [program, ...[...words, ...where].map(shellWord)].join(' ') as PasteLine;
  }
}

/** The table of a source's first sink; a bucket's name may be shorter than an id. */
export function firstTable(sourceId: string): string {
  return `in.c-${sourceId.slice(0, 90)}.events`;
}
