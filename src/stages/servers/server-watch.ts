import { abortable } from '../../core/abortable.ts';
import type { Clock } from '../../core/clock.ts';
import { withConnectionAdvice } from '../../core/connection-advice.ts';
import { sentence, type Finding } from '../../core/finding.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { isUnsaid, saidEveryMs, type MissingServer } from '../../core/missing-servers.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import { missingServersDocuments, missingServersPrefix } from '../../documents/missing-servers-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ServersObserver } from '../../telemetry/observe-servers.ts';

/** A server that roles of this process need. */
export interface NeededServer {
  /** Part of the topology, with what it is: `log (kafka)`. */
  readonly name: string;
  readonly roles: readonly string[];
  /** Asks it for something small that changes nothing; rejects with why it does not serve. */
  readonly probe: (options: Waiting) => Promise<unknown>;
  /** Looks at all that is needed of it, as "millrace doctor" does; absent: asking is enough. */
  readonly check?: (options: Waiting) => Promise<readonly Finding[]>;
}

export interface ServerWatchOptions {
  readonly servers: readonly NeededServer[];
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly observer: ServersObserver;
  /** Name of this process, for people; a successor has another one. */
  readonly member: string;
}

/** What is known of a server; times on the monotonic clock. */
interface Known {
  /** When it served last; undefined: never while this process ran. */
  readonly servedAt: number | undefined;
  readonly checkedAt: number | undefined;
  readonly missing: MissingServer | undefined;
}

interface Failure {
  /** A sentence. */
  readonly text: string;
  /** It may be a short outage; what the doctor finds does not mend itself. */
  readonly passes: boolean;
}

interface Look extends Waiting {
  readonly withinMs: number;
  /** A start asks, and looks at nothing that takes longer. */
  readonly withChecks: boolean;
}

/** A start waits no longer for an answer. */
const startMs = 5000;
/** A server that does not answer within this does not serve; drivers that try again say why before that. */
const answerMs = 20_000;
/** A server that served is missing only when it has not for so long: a restart of it is no reason to take a process out. */
const patienceMs = 20_000;
const probeEveryMs = 15_000;
const checkEveryMs = 10 * 60_000;
const sweepAfterMs = 10 * 60_000;

/** Without these nothing can be done; what else the doctor finds wrong is told, and the process works all the same. */
const preventing: ReadonlySet<string> = new Set(['connection', 'rights', 'list', 'write', 'session', 'format']);

/** Of these, what an outage looks like, too. */
const passing: ReadonlySet<string> = new Set(['connection', 'list']);

/**
 * Looks from time to time whether the servers that the roles of this process need serve it, and says which do not: to whoever asks the
 * process, and in the catalog, for those who ask another one. A server that never served is missing at once; one that did, once it has not
 * for longer than a restart takes.
 */
export class ServerWatch {
  readonly #options: ServerWatchOptions;
  readonly #known = new Map<string, Known>();
  #said: { readonly text: string; readonly at: number } | undefined;

  constructor(options: ServerWatchOptions) {
    this.#options = options;
  }

  /** Asks all of them for the first time, and removes what processes said that are gone. Rejects only on abort. */
  async begin({ signal }: Waiting): Promise<void> {
    await this.#lookAtAll({ withinMs: startMs, withChecks: false, signal });
    await this.#sweep({ signal: AbortSignal.any([signal, AbortSignal.timeout(startMs)]) }).catch(() => {
      signal.throwIfAborted();
    });
  }

  /** Looks at those whose time has come; to be called every few seconds. Rejects only on abort. */
  async look({ signal }: Waiting): Promise<void> {
    await this.#lookAtAll({ withinMs: answerMs, withChecks: true, signal });
  }

  async #lookAtAll(look: Look): Promise<void> {
    const { signal } = look;
    await Promise.all(this.#options.servers.map((server) => this.#lookAt(server, look)));
    await this.#say(AbortSignal.any([signal, AbortSignal.timeout(startMs)])).catch(() => {
      signal.throwIfAborted();
    });
  }

  /** Those that are missing, as far as these roles need them; absent: any role of the process. */
  missing(roles?: readonly string[]): readonly MissingServer[] {
    const found = this.#options.servers.flatMap(({ name }) => this.#known.get(name)?.missing ?? []);
    return roles === undefined ? found : found.filter((one) => one.roles.some((role) => roles.includes(role)));
  }

  async #lookAt(server: NeededServer, { withinMs, withChecks, signal }: Look): Promise<void> {
    const now = this.#options.clock.monotonic();
    const known = this.#known.get(server.name);
    const isWell = known?.servedAt !== undefined && known.missing === undefined;
    const isOld = known?.checkedAt === undefined || now - known.checkedAt >= checkEveryMs;
    const isCheckDue = withChecks && server.check !== undefined && isOld;
    if (isWell && !isCheckDue && now - (known.servedAt ?? 0) < probeEveryMs) return;
    const failure = await this.#failureOf(server, { isCheckDue, withinMs, signal });
    const then = this.#options.clock.monotonic();
    if (failure === undefined) this.#serves(server, { at: then, checkedAt: isCheckDue ? then : known?.checkedAt });
    else this.#fails(server, failure, then);
  }

  /** Why it does not serve; undefined when it does. */
  async #failureOf(
    { name, probe, check }: NeededServer,
    { isCheckDue, withinMs, signal }: Omit<Look, 'withChecks'> & { readonly isCheckDue: boolean },
  ): Promise<Failure | undefined> {
    const late = AbortSignal.timeout(withinMs);
    const within = { signal: AbortSignal.any([signal, late]) };
    try {
      await abortable(probe(within), within.signal);
      if (!isCheckDue || check === undefined) return undefined;
      const bad = (await abortable(check(within), within.signal)).filter(({ kind }) => kind === 'bad');
      for (const finding of bad)
        if (!preventing.has(finding.about)) this.#options.observer.serverDoubted(name, finding);
      const preventive = bad.find(({ about }) => preventing.has(about));
      return preventive && { text: preventive.text, passes: passing.has(preventive.about) };
    } catch (thrown) {
      signal.throwIfAborted();
      if (late.aborted) return { text: `It does not answer within ${withinMs / 1000} s.`, passes: true };
      return { text: sentence(MillraceError.fromUnknown(thrown).message), passes: true };
    }
  }

  #serves({ name }: NeededServer, { at, checkedAt }: { readonly at: number; readonly checkedAt: number | undefined }) {
    const before = this.#known.get(name);
    this.#known.set(name, { servedAt: at, checkedAt, missing: undefined });
    if (before?.servedAt === undefined || before.missing !== undefined)
      this.#options.observer.serverThere(name, before?.missing !== undefined);
  }

  #fails({ name, roles }: NeededServer, { text, passes }: Failure, now: number): void {
    const { clock, observer } = this.#options;
    const { servedAt, checkedAt, missing } = this.#known.get(name) ?? {};
    const isLong = servedAt === undefined || now - servedAt >= probeEveryMs + patienceMs;
    const isMissing = missing !== undefined || isLong || !passes;
    const reason = withConnectionAdvice(text);
    const since = missing?.since ?? new Date(clock.now() - (servedAt === undefined ? 0 : now - servedAt)).toISOString();
    const told = isMissing ? { server: name, roles, message: reason, since } : undefined;
    this.#known.set(name, { servedAt, checkedAt, missing: told });
    if (isMissing && missing?.message !== reason) observer.serverMissing(name, { roles, reason });
  }

  /** Says in the catalog what is missing, when that is another thing than was said, or when it was said long ago. */
  async #say(signal: AbortSignal): Promise<void> {
    const { catalog, clock, member } = this.#options;
    const servers = this.missing();
    const text = JSON.stringify(servers);
    const now = clock.monotonic();
    if (servers.length === 0 && this.#said === undefined) return;
    if (this.#said?.text === text && now - this.#said.at < saidEveryMs) return;
    const id = `${missingServersPrefix}${member}`;
    if (servers.length === 0) {
      await removeDocument(catalog, { collection: 'meta', id }, { signal });
      this.#said = undefined;
      return;
    }
    const value = { process: member, servers, at: new Date(clock.now()).toISOString() };
    await changeDocument(
      catalog,
      { kind: missingServersDocuments, id, change: (before) => ({ ...before, ...value }) },
      { signal },
    );
    this.#said = { text, at: now };
  }

  async #sweep(options: Waiting): Promise<void> {
    const { catalog, clock } = this.#options;
    const query = { kind: missingServersDocuments, prefix: missingServersPrefix };
    const { documents } = await listReadable(catalog, query, options);
    for (const { process, at } of documents)
      if (isUnsaid({ at }, clock.now() - sweepAfterMs))
        await removeDocument(catalog, { collection: 'meta', id: `${missingServersPrefix}${process}` }, options);
  }
}
