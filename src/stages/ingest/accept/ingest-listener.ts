import type { Service } from '../../../core/service.ts';
import type { Waiting } from '../../../ports/waiting.ts';

/** Takes events on a port of its own, over one protocol or several. */
export interface IngestListener extends Service {
  /** Listens; `config.invalid` when host or port cannot be had. `run` does it when it was not called before. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): { readonly host: string; readonly port: number } | undefined;
  /** Resolves when every request that is being received or stored now has ended. */
  settled(options: Waiting): Promise<void>;
  /** Ends each connection that is open now with its next answer, so that its sender makes a new one; nothing of it is lost. */
  renew(): void;
}
