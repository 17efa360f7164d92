import { given, type Given, type Schemas } from '../../client/api-client.ts';
import type { Transport } from '../transport.ts';

/** Names a configuration as a person typed it. */
export interface ConfigurationName {
  readonly branch: string;
  readonly componentId: string;
  readonly configurationId: string;
}

export interface RowName extends ConfigurationName {
  readonly rowId: string;
}

interface Texts {
  readonly configuration?: string | undefined;
  readonly state?: string | undefined;
}

/** A body of the API whose `configuration` and `state` are JSON texts of objects, which keep their digits and the order of their keys. */
type WithTexts<Body> = Given<Omit<Body, keyof Texts>> & Texts;

export type ComponentShape = Schemas['ComponentWithConfigurations'];
export type ConfigurationShape = Schemas['Configuration'];
export type RowShape = Schemas['ConfigurationRow'];
export type ScheduleShape = Schemas['Schedule'];
export type VersionEntryShape = Schemas['ConfigurationVersionEntry'];

const components = '/v2/storage/branch/{branchId}/components';
const all = `${components}/{componentId}/configs` as const;
const one = `${all}/{configurationId}` as const;
const rows = `${one}/rows` as const;
const row = `${rows}/{rowId}` as const;
const schedule = `${one}/schedule` as const;
const versions = `${one}/versions` as const;
const version = `${versions}/{versionNumber}` as const;

/** What one page of versions has. */
const page = 100;

/** Configurations of components, a method an operation. Errors: see `Transport`. */
export class ConfigClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every component that the token may see, with its configurations, their large fields left out. */
  async components(branch: string, { deleted }: { readonly deleted: boolean }): Promise<readonly ComponentShape[]> {
    const params = { path: { branchId: branch }, query: deleted ? ({ isDeleted: '1' } as const) : {} };
    return this.#transport.ask((api) => api.GET(components, { params }));
  }

  async get(name: ConfigurationName): Promise<ConfigurationShape> {
    return this.#transport.ask((api) => api.GET(one, { params: { path: pathOf(name) } }));
  }

  /** The same as the text of the answer, with all digits. */
  async getText(name: ConfigurationName): Promise<string> {
    const options = { params: { path: pathOf(name) }, parseAs: 'text' } as const;
    return this.#transport.ask((api) => api.GET(one, options));
  }

  async create(
    { branch, componentId }: Pick<ConfigurationName, 'branch' | 'componentId'>,
    wanted: WithTexts<Schemas['CreateConfigurationBody']>,
  ): Promise<ConfigurationShape> {
    const path = { branchId: branch, componentId };
    const body = given<Schemas['CreateConfigurationBody']>(withObjects(wanted));
    return this.#transport.ask((api) => api.POST(all, { params: { path }, body }));
  }

  async update(
    name: ConfigurationName,
    change: WithTexts<Schemas['UpdateConfigurationBody']>,
  ): Promise<ConfigurationShape> {
    const body = given<Schemas['UpdateConfigurationBody']>(withObjects(change));
    return this.#transport.ask((api) => api.PUT(one, { params: { path: pathOf(name) }, body }));
  }

  /** It can be restored; what is deleted already is gone for good. */
  async remove(name: ConfigurationName): Promise<void> {
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(one, { params: { path: pathOf(name) } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  /** Whether it is deleted already or not: nothing is left to restore. */
  async removeForGood(name: ConfigurationName): Promise<void> {
    await this.remove(name);
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(one, { params: { path: pathOf(name) } });
      // It was deleted before the first call.
      const isGone = answer.response.status === 404;
      return answer.response.ok || isGone ? { response: Response.json({}), data: true } : answer;
    });
  }

  async restore(name: ConfigurationName): Promise<ConfigurationShape> {
    return this.#transport.ask((api) => api.POST(`${one}/restore`, { params: { path: pathOf(name) } }));
  }

  /** The newest first. */
  async versions(name: ConfigurationName): Promise<readonly VersionEntryShape[]> {
    const found: VersionEntryShape[] = [];
    for (;;) {
      // Numbers count, not entries: one may be missing among them.
      const offset = (found[0]?.version ?? 0) - (found.at(-1)?.version ?? 1) + 1;
      const params = { path: pathOf(name), query: { limit: page, offset } };
      const more = await this.#transport.ask((api) => api.GET(versions, { params }));
      found.push(...more);
      if (more.length < page) return found;
    }
  }

  /** A version with what it was, as the text of the answer. */
  async versionText(name: ConfigurationName, versionNumber: number): Promise<string> {
    const params = { path: { ...pathOf(name), versionNumber } };
    return this.#transport.ask((api) => api.GET(version, { params, parseAs: 'text' }));
  }

  async rollback(name: ConfigurationName, versionNumber: number, note: string | undefined): Promise<number> {
    const params = { path: { ...pathOf(name), versionNumber } };
    const body = given<Schemas['ChangeNoteBody']>({ changeDescription: note });
    return (await this.#transport.ask((api) => api.POST(`${version}/rollback`, { params, body }))).version;
  }

  /** Makes another configuration that is like a version of this one; its id. */
  async copy(
    name: ConfigurationName,
    versionNumber: number,
    wanted: Given<Schemas['CopyConfigurationBody']>,
  ): Promise<string> {
    const params = { path: { ...pathOf(name), versionNumber } };
    const body = given<Schemas['CopyConfigurationBody']>(wanted);
    return (await this.#transport.ask((api) => api.POST(`${version}/create`, { params, body }))).id;
  }

  async createRow(name: ConfigurationName, wanted: WithTexts<Schemas['CreateRowBody']>): Promise<RowShape> {
    const body = given<Schemas['CreateRowBody']>(withObjects(wanted));
    return this.#transport.ask((api) => api.POST(rows, { params: { path: pathOf(name) }, body }));
  }

  /** A row as the text of the answer. */
  async rowText(name: RowName): Promise<string> {
    return this.#transport.ask((api) => api.GET(row, { params: { path: rowPath(name) }, parseAs: 'text' }));
  }

  async updateRow(name: RowName, change: WithTexts<Schemas['UpdateRowBody']>): Promise<RowShape> {
    const body = given<Schemas['UpdateRowBody']>(withObjects(change));
    return this.#transport.ask((api) => api.PUT(row, { params: { path: rowPath(name) }, body }));
  }

  async schedule(name: ConfigurationName): Promise<ScheduleShape> {
    return this.#transport.ask((api) => api.GET(schedule, { params: { path: pathOf(name) } }));
  }

  async setSchedule(name: ConfigurationName, wanted: Given<Schemas['ScheduleBody']>): Promise<ScheduleShape> {
    const body = given<Schemas['ScheduleBody']>(wanted);
    return this.#transport.ask((api) => api.PUT(schedule, { params: { path: pathOf(name) }, body }));
  }

  async removeSchedule(name: ConfigurationName): Promise<void> {
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(schedule, { params: { path: pathOf(name) } });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }

  async removeRow(name: RowName, note: string | undefined): Promise<void> {
    const body = given<Schemas['ChangeNoteBody']>({ changeDescription: note });
    await this.#transport.ask(async (api) => {
      const answer = await api.DELETE(row, { params: { path: rowPath(name) }, body });
      return answer.response.ok ? { response: answer.response, data: true } : answer;
    });
  }
}

function pathOf({ branch, componentId, configurationId }: ConfigurationName) {
  return { branchId: branch, componentId, configurationId };
}

function rowPath({ rowId, ...name }: RowName) {
  return { ...pathOf(name), rowId };
}

/** The same fields; of what its description has as an object the API takes the text, too. */
function withObjects<Fields extends Texts>(fields: Fields) {
  return { ...fields, configuration: asObject(fields.configuration), state: asObject(fields.state) };
}

function asObject(text: string | undefined): Record<string, never> | undefined {
  return text as Record<string, never> | undefined;
}
