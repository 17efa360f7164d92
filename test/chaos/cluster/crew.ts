import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Api } from '../../support/api.ts';
import { lastingPort } from '../../support/free-port.ts';
import { Member } from './member.ts';
import type { ChaosServers } from './servers.ts';

export interface CrewOptions {
  readonly servers: ChaosServers;
  /** Logs and data folders of the processes go there. */
  readonly folder: string;
  /** Roles of a process; there are two processes for each entry. */
  readonly spread: readonly string[];
  /** Of the topic of a source. */
  readonly partitions: number;
  readonly say: (line: string) => void;
}

const rootToken = 'chaos-root-token';
const answerMs = 10_000;

/** The processes of the cluster, each under its own lasting address. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #members = new Map<string, Member>();
  readonly #visitors: Member[] = [];
  readonly #failed = Promise.withResolvers<never>();

  private constructor(options: CrewOptions) {
    this.#options = options;
    this.#failed.promise.catch(() => undefined);
  }

  /** Starts none of them yet. */
  static async gather(options: CrewOptions): Promise<Crew> {
    const crew = new Crew(options);
    for (const roles of options.spread) {
      for (const number of [1, 2]) {
        const member = await crew.#member(`${roles.replaceAll(',', '-')}-${number}`, roles);
        crew.#members.set(member.name, member);
      }
    }
    return crew;
  }

  get members(): ReadonlyMap<string, Member> {
    return this.#members;
  }

  /** Rejects when a process ended by itself. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** How often a process gave its start up because a server was away. */
  get startsGivenUp(): number {
    return [...this.#members.values(), ...this.#visitors].reduce((sum, one) => sum + one.startsGivenUp, 0);
  }

  async start(): Promise<void> {
    await Promise.all([...this.#members.values()].map((member) => member.start()));
  }

  /** All leave, one after the other; rejects when one does not leave with 0. */
  async leave(): Promise<void> {
    for (const member of this.#members.values()) await member.leave();
  }

  /** The API of each process with the role admin. */
  apis(): readonly Api[] {
    return this.#having('admin').map(({ process }) => new Api(process.admin, rootToken, { timeoutMs: answerMs }));
  }

  /** The base address of each ingest process, by name. */
  doors(): ReadonlyMap<string, string> {
    return new Map(this.#having('ingest').map(({ name, process }) => [name, process.ingest]));
  }

  /** One more process, not started yet. It takes no events: nobody would know its address. */
  async visitor(roles: string): Promise<Member> {
    const visitor = await this.#member(`visitor-${this.#visitors.length + 1}`, roles);
    this.#visitors.push(visitor);
    return visitor;
  }

  /** Writes what every process says of itself beside its log. */
  async keepMetrics(): Promise<void> {
    for (const { name, process } of this.#members.values()) {
      const base = process.admin === '' ? process.ops : process.admin;
      const text = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(answerMs) }).then(
        (answer) => answer.text(),
        String,
      );
      await writeFile(join(this.#options.folder, `${name}.metrics`), text);
    }
  }

  async killAll(): Promise<void> {
    await Promise.all([...this.#members.values(), ...this.#visitors].map((member) => member.kill()));
  }

  #having(role: string): readonly Member[] {
    return [...this.#members.values()].filter(({ roles }) => roles.includes(role));
  }

  async #member(name: string, roles: string): Promise<Member> {
    const { servers, folder, partitions, say } = this.#options;
    const ingestPort = String(await lastingPort());
    return new Member({
      name,
      roles,
      topology: servers.topology,
      logFile: join(folder, `${name}.log`),
      env: {
        ...(await servers.environmentOf(name)),
        // What a process that does not leave still waits for.
        NODE_OPTIONS: `--report-on-signal --report-directory=${folder} --report-exclude-env`,
        MILLRACE_DATA_DIR: join(folder, name),
        MILLRACE_ADMIN_PORT: String(await lastingPort()),
        MILLRACE_INGEST_PORT: ingestPort,
        MILLRACE_OPS_PORT: '0',
        MILLRACE_ROOT_TOKEN: rootToken,
        MILLRACE_LOG_LEVEL: 'info',
        MILLRACE_PARTITIONS: String(partitions),
        MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1',
        MILLRACE_PUBLIC_INGEST_URL: `http://127.0.0.1:${ingestPort}`,
      },
      onEnd: (member, how) => {
        say(`${member} ended by itself with ${how}`);
        this.#failed.reject(new Error(`${member} ended by itself with ${how}`));
      },
    });
  }
}
