import { rejectedMessage, type OtlpRecords } from '../../../events/read-otlp.ts';
import type { ReceivedRequest } from '../../../events/read-request.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { WriteResult } from '../accept/write.ts';
import type { Content, Decoded, Face, Head, Reading } from '../exchange/face.ts';
import { TargetFinder } from '../exchange/target-finder.ts';
import { answer, refusedContent } from './answer.ts';
import { decode, type Addressed } from './decode.ts';
import { encodingOf } from './media-type.ts';
import { parseOtlpPath } from './route.ts';

/** Logs, metrics and traces as OTLP over HTTP sends them, in protobuf or JSON. `maxBodyBytes`: as they come, and decoded. */
export function createOtlpFace(acceptor: Acceptor, { maxBodyBytes }: { readonly maxBodyBytes: number }): Face {
  return new OtlpFace(acceptor, maxBodyBytes);
}

class OtlpFace implements Face {
  readonly prefix = '/otlp/';
  readonly routes = [
    'POST /otlp/{projectId}/{sourceId}/{secret}/v1/{logs|metrics|traces}',
    'POST /otlp/{projectId}/{sourceId}/v1/{logs|metrics|traces}',
  ] as const;
  readonly #targets: TargetFinder;
  readonly #work: Work;

  constructor(acceptor: Acceptor, maxBodyBytes: number) {
    this.#targets = new TargetFinder(acceptor.sources, 'otlp', 'otlp');
    this.#work = { ids: acceptor.ids, turns: acceptor.turns, maxBodyBytes };
  }

  owns(path: string): boolean | Refusal {
    const parsed = parseOtlpPath(path);
    return parsed !== undefined && this.#targets.owns(parsed.source);
  }

  read(head: Head): Reading | Refusal | undefined {
    const path = parseOtlpPath(head.path);
    if (path === undefined) return undefined;
    const target = this.#targets.find(path.source, head);
    if (target?.kind !== 'target') return target;
    const encoding = encodingOf(head.contentType);
    if (typeof encoding !== 'string') return encoding;
    return new OtlpReading({ target, signal: path.signal, encoding }, this.#work);
  }
}

/** What decodes: who makes the ids, the rotation of long bodies, and how large they may be. */
interface Work extends Pick<Acceptor, 'ids' | 'turns'> {
  readonly maxBodyBytes: number;
}

class OtlpReading implements Reading {
  readonly kind = 'reading';
  readonly maxBodyBytes: number;
  readonly #addressed: Addressed;
  readonly #work: Work;
  #rejected = 0;

  constructor(addressed: Addressed, work: Work) {
    this.maxBodyBytes = work.maxBodyBytes;
    this.#addressed = addressed;
    this.#work = work;
  }

  get sources(): readonly DirectorySource[] {
    return this.#addressed.target.sources;
  }

  decode(request: ReceivedRequest): Decoded | Promise<Decoded> {
    const { ids, turns } = this.#work;
    const decoded = turns.run(decode(request, this.#addressed, ids));
    return decoded instanceof Promise ? decoded.then((all) => this.#writes(all)) : this.#writes(decoded);
  }

  answer(results: readonly WriteResult[]): Content {
    const { signal, encoding } = this.#addressed;
    return answer(results, encoding, { signal, rejected: this.#rejected, message: rejectedMessage(this.#rejected) });
  }

  refusal(refusal: Refusal): Content {
    return refusedContent(refusal, this.#addressed.encoding);
  }

  #writes(decoded: OtlpRecords<DirectorySource> | Refusal): Decoded {
    if (decoded.kind === 'refusal') return decoded;
    this.#rejected = decoded.rejected;
    return decoded.writes;
  }
}
