import { hash, timingSafeEqual } from 'node:crypto';
import type { SourceKey } from '../../../core/ids.ts';
import type { SourceSecret, SourceType } from '../../../core/source.ts';
import { noSourceFound, refusals, type Refusal } from '../../../events/refusal.ts';
import type { DirectorySource, SourceDirectory } from './source-directory.ts';

/** Where the events of a request go, once its secret was found right. */
export interface Target {
  readonly kind: 'target';
  readonly projectId: number;
  /** The enabled sources that match, ascending by branch; at least one. */
  readonly sources: readonly DirectorySource[];
  /** Milliseconds since the epoch from which one of the secrets that matched is no longer valid. */
  readonly validUntil: number;
  /** What no event may hold (A29): all secrets of these sources. */
  readonly secrets: readonly string[];
}

/** A request as far as it says where it goes. */
export interface Address {
  readonly projectId: number;
  readonly sourceId: string;
  readonly secret: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A request that is known by its secret, and may name its source. */
export interface SecretAddress {
  /** Of the installation: that of all sources. */
  readonly projectId: number;
  readonly secret: string;
  readonly source: SourceKey | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const capacity = 10_000;
/** The same secret can be written in many ways: a long one is looked up each time, not remembered. */
const longestKey = 512;

/**
 * Finds sources of one type by project, source id and secret, and remembers what was found by the exact text that found it until
 * the directory changes. The secret is compared by its digest in constant time; the memory holds only texts that were
 * right, and a map compares a text only after its seeded hash agrees, so that its time tells nothing about a secret.
 */
export class Targets {
  readonly #directory: SourceDirectory;
  readonly #type: SourceType;
  readonly #known = new Map<string, Target>();
  #version: number;
  /** By the digest of each secret; made when somebody asks. */
  #bySecret: ReadonlyMap<string, readonly DirectorySource[]> | undefined;

  constructor(directory: SourceDirectory, type: SourceType) {
    this.#directory = directory;
    this.#type = type;
    this.#version = directory.version;
  }

  /** What this text was found to name before; undefined: ask `find`. */
  recall(key: string, now: number): Target | undefined {
    if (this.#directory.version !== this.#version) {
      this.#known.clear();
      this.#bySecret = undefined;
      this.#version = this.#directory.version;
    }
    const target = this.#known.get(key);
    return target !== undefined && target.validUntil > now ? target : undefined;
  }

  /** Looks a request up and, when it is right, remembers it under `key`; call `recall` before. */
  find({ projectId, sourceId, secret, now }: Address, key: string): Target | Refusal {
    if (secret === undefined) return noSourceFound(this.#type);
    const candidates = this.#directory.find(projectId, sourceId);
    return this.#remember(this.#choose(candidates, { projectId, secret, now }), key);
  }

  /** The same by the secret alone, or by it and the source. All that match are taken: one secret may be of several sources. */
  findBySecret({ projectId, secret, source: named, now }: SecretAddress, key: string): Target | Refusal {
    this.#bySecret ??= this.#indexed();
    const candidates = this.#bySecret.get(hash('sha256', secret)) ?? [];
    const wanted = candidates.filter(({ key: { branchId, sourceId } }) => {
      return named === undefined || (branchId === named.branchId && sourceId === named.sourceId);
    });
    return this.#remember(this.#choose(wanted, { projectId, secret, now }), key);
  }

  #remember(found: Target | Refusal, key: string): Target | Refusal {
    if (found.kind === 'target' && key.length <= longestKey) {
      if (this.#known.size >= capacity) this.#known.clear();
      this.#known.set(key, found);
    }
    return found;
  }

  /** The digest of a wrong secret says nothing about a right one, so that what a look into this map takes does not, either. */
  #indexed(): ReadonlyMap<string, readonly DirectorySource[]> {
    const index = new Map<string, DirectorySource[]>();
    for (const source of this.#directory.all()) {
      if (source.type !== this.#type) continue;
      for (const digest of new Set(source.secrets.map(({ text }) => hash('sha256', text)))) {
        const sources = index.get(digest);
        if (sources === undefined) index.set(digest, [source]);
        else sources.push(source);
      }
    }
    return index;
  }

  #choose(
    candidates: readonly DirectorySource[],
    { projectId, secret, now }: Pick<SecretAddress, 'projectId' | 'secret' | 'now'>,
  ): Target | Refusal {
    const matches = candidates
      .filter(({ type }) => type === this.#type)
      .map((source) => ({ source, validUntil: validity(source.secrets, secret, now) }))
      .filter(({ validUntil }) => validUntil > now);
    if (matches.length === 0) return noSourceFound(this.#type);
    const enabled = matches.filter(({ source }) => !source.disabled);
    if (enabled.length === 0) return refusals.disabledSource;
    return {
      kind: 'target',
      projectId,
      sources: enabled.map(({ source }) => source),
      validUntil: Math.min(...enabled.map(({ validUntil }) => validUntil)),
      secrets: enabled.flatMap(({ source }) => source.secrets.map(({ text }) => text)),
    };
  }
}

/** Until when the secret given authenticates: infinity without an end, minus infinity when it is none of the source's. */
function validity(secrets: readonly SourceSecret[], given: string, now: number): number {
  const digest = hash('sha256', given, 'buffer');
  let until = Number.NEGATIVE_INFINITY;
  for (const { text, validUntil = Number.POSITIVE_INFINITY } of secrets) {
    const same = timingSafeEqual(hash('sha256', text, 'buffer'), digest);
    if (same && validUntil > now) until = Math.max(until, validUntil);
  }
  return until;
}
