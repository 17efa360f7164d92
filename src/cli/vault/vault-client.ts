import type { Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

export type VaultVariableShape = Schemas['VaultVariable'];

const ofProject = '/v2/storage/vault/variables';
const ofBranch = '/v2/storage/branch/{branchId}/vault/variables';

/** The vault: that of the project, or with a branch its own. Errors: see `Transport`. */
export class VaultClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Names, never values. */
  async list(branch: string | undefined): Promise<readonly VaultVariableShape[]> {
    return this.#transport.ask((api) =>
      branch === undefined ? api.GET(ofProject) : api.GET(ofBranch, { params: { path: { branchId: branch } } }),
    );
  }

  /** Whether the name has a value already or not. */
  async set(
    branch: string | undefined,
    body: { readonly name: string; readonly value: string },
  ): Promise<VaultVariableShape> {
    return this.#transport.ask((api) =>
      branch === undefined
        ? api.POST(ofProject, { body })
        : api.POST(ofBranch, { params: { path: { branchId: branch } }, body }),
    );
  }

  async remove(branch: string | undefined, name: string): Promise<void> {
    await this.#transport.ask(async (api) => {
      const answer =
        branch === undefined
          ? await api.DELETE(`${ofProject}/{name}`, { params: { path: { name } } })
          : await api.DELETE(`${ofBranch}/{name}`, { params: { path: { branchId: branch, name } } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }
}
