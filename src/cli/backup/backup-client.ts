import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type BackupShape = Schemas['Backup'];

const backup = '/v1/backup';

/** Copies of everything that a process has. Errors: see `Transport`. */
export class BackupClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async start(to: string): Promise<BackupShape> {
    return this.#transport.ask((api) => api.POST(backup, { body: { to } }));
  }

  async last(): Promise<BackupShape> {
    return this.#transport.ask((api) => api.GET(backup));
  }

  async stop(): Promise<BackupShape> {
    return this.#transport.ask((api) => api.DELETE(backup));
  }
}
