import type { Service } from '../../core/service.ts';
import type { Supervised } from '../supervise.ts';
import type { ComposeOptions } from './compose.ts';
import { ThreadService } from './thread-service.ts';
import type { ThreadSpec } from './thread-messages.ts';

/** A role in a thread that is started again whenever it ends: the supervision, and the thread as it is now. */
export class RoleThread implements AsyncDisposable {
  readonly supervised: Supervised;
  readonly #first: ThreadService;
  #current: ThreadService;

  constructor(
    role: ThreadSpec['role'],
    { config, folder, threadEntry }: ComposeOptions,
    supervise: (make: () => Service) => Supervised,
  ) {
    const spec: ThreadSpec = { role, instance: role, dataDir: folder.path, logLevel: config.logLevel };
    const make = (): ThreadService => new ThreadService(spec, threadEntry);
    this.#first = make();
    this.#current = this.#first;
    let isFirst = true;
    this.supervised = supervise(() => {
      if (!isFirst) this.#current = make();
      isFirst = false;
      return this.#current;
    });
  }

  get current(): ThreadService {
    return this.#current;
  }

  /** Resolves when the role runs for the first time; rejects when its thread ended before. */
  get ready(): Promise<void> {
    return this.#first.ready;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.supervised[Symbol.asyncDispose]();
  }
}
