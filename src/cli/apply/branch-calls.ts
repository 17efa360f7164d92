import { areSameColumns } from '../../core/column-change.ts';
import { columnOf } from '../../core/column.ts';
import type { SettingOverrides } from '../../core/source.ts';
import { signals } from '../../core/event.ts';
import { slug } from '../../core/slug.ts';
import type { SettingShape, SinkShape, SourceShape } from '../api-shapes.ts';
import type { AdminClient } from '../client.ts';
import type { ObjectName } from '../object-name.ts';
import { ConfigurationCalls } from './configuration-calls.ts';
import type { ConfigurationStep } from './configuration-step.ts';
import type { DeclaredSource, SourceRef, SinkDeclaration, SourceDeclaration } from './declaration.ts';
import type { Installed } from './make-plan.ts';
import type { SinkFields, SourceStep, Step } from './plan.ts';
import type { TableUser } from './table-outcome.ts';

/** Every call of the admin API that `apply`, `diff` and `export` make, for one branch. */
export class BranchCalls {
  readonly configurations: ConfigurationCalls;
  readonly #client: AdminClient;
  readonly #branch: string;

  constructor(client: AdminClient, branch: string) {
    this.#client = client;
    this.#branch = branch;
    this.configurations = new ConfigurationCalls(client.configs, branch);
  }

  /** All sources with everything that a file says of them. */
  async sources(): Promise<readonly SourceDeclaration[]> {
    const found: SourceDeclaration[] = [];
    for (const source of await this.#client.listSources(this.#branch)) found.push(await this.#source(source));
    return found;
  }

  /** What there is of the sources that files declare, the names of the others, and who needs tables that do not fit the files. */
  async installed(declared: readonly DeclaredSource[]): Promise<Installed> {
    const sourceIds = new Set(declared.map(({ sourceId }) => sourceId));
    const all = await this.#client.listSources(this.#branch);
    const sources: SourceDeclaration[] = [];
    for (const source of all.filter(({ sourceId }) => sourceIds.has(sourceId)))
      sources.push(await this.#source(source));
    const undeclared: Installed['undeclared'][number][] = [];
    for (const { sourceId } of all.filter((source) => !sourceIds.has(source.sourceId))) {
      const sinks = await this.#client.listSinks({ branch: this.#branch, sourceId });
      undeclared.push({ sourceId, sinkIds: sinks.map(({ sinkId }) => sinkId).toSorted() });
    }
    const tables = new Map((await this.#client.listTables()).map(({ id, columns }) => [id, columns]));
    const users = await this.#users(declared, { tables, branchId: all[0]?.branchId });
    return { sources, undeclared, tables, users };
  }

  async #users(
    declared: readonly DeclaredSource[],
    { tables, branchId }: Pick<Installed, 'tables'> & { readonly branchId: number | undefined },
  ): Promise<ReadonlyMap<string, readonly TableUser[]>> {
    const wanted = declared
      .flatMap(({ sinks }) => sinks)
      .filter(({ tableId, columns }) => {
        const found = tables.get(tableId);
        return (
          found !== undefined &&
          !areSameColumns(
            found,
            columns.map(({ name }) => name),
          )
        );
      });
    const users = new Map<string, readonly TableUser[]>();
    for (const tableId of new Set(wanted.map((sink) => sink.tableId))) {
      const { sinks, waiting } = await this.#client.listDependents(tableId);
      const refOf = (one: { branchId: number; sourceId: string; sinkId: string }): TableUser => ({
        object: { sourceId: one.sourceId, sinkId: one.sinkId },
        ...(one.branchId === branchId ? {} : { branchId: one.branchId }),
      });
      const filling = sinks.filter(({ state }) => state !== 'deleted');
      users.set(tableId, [...filling.map((one) => ({ ...refOf(one), columns: one.columns })), ...waiting.map(refOf)]);
    }
    return users;
  }

  /** Does one step, and resolves when its task has ended. */
  async take(step: Step): Promise<void> {
    if (isOfConfiguration(step)) return await this.configurations.take(step);
    await this.#takeSource(step);
  }

  async #takeSource(step: SourceStep): Promise<void> {
    const client = this.#client;
    const name = this.#nameOf(step.object);
    switch (step.kind) {
      case 'createSource': {
        const { sourceId, type, name: shown, description, partitions } = step.source;
        const body = { sourceId: givenId(sourceId, shown), type, name: shown, description, partitions };
        await client.createSource(this.#branch, body);
        return;
      }
      case 'createSink': {
        const { sinkId, name: shown, description, allowedSignals, tableId, columns } = step.sink;
        const table = { tableId, mapping: { columns } };
        const body = { sinkId: givenId(sinkId, shown), name: shown, description, allowedSignals, table };
        await client.createSink({ branch: this.#branch, sourceId: step.object.sourceId }, body);
        return;
      }
      case 'updateSource':
        await client.update(name, step.fields);
        return;
      case 'updateSink':
        await client.update(name, sinkBody(step.fields));
        return;
      case 'settings':
        await client.changeSettings(name, step.settings);
        return;
      case 'enable':
      case 'disable':
        await client.turn(name, step.kind);
        return;
      case 'delete':
        await client.remove(name);
        return;
      default:
        return step satisfies never;
    }
  }

  async #source(source: SourceShape): Promise<SourceDeclaration> {
    const { sourceId, type, name, description, disabled, partitions } = source;
    const object = { branch: this.#branch, sourceId };
    const settings = overridesOf(await this.#client.settings(object), 'source');
    const sinks = await Promise.all((await this.#client.listSinks(object)).map((sink) => this.#sink(sink)));
    const sorted = sinks.toSorted((a, b) => (a.sinkId < b.sinkId ? -1 : 1));
    const own = { sourceId, type, name, description, partitions, settings };
    return { ...own, disabled: disabled !== undefined, sinks: sorted };
  }

  async #sink(sink: SinkShape): Promise<SinkDeclaration> {
    const { sourceId, sinkId, name, description, disabled, table, allowedSignals = [] } = sink;
    const settings = await this.#client.settings({ branch: this.#branch, sourceId, sinkId });
    return {
      sinkId,
      name,
      description,
      disabled: disabled !== undefined && disabled.reason !== waitsWithSource,
      tableId: table.tableId,
      allowedSignals: signals.filter((signal) => allowedSignals.includes(signal)),
      columns: table.mapping.columns.map(columnOf),
      settings: overridesOf(settings, 'sink'),
    };
  }

  #nameOf({ sourceId, sinkId }: SourceRef): ObjectName {
    const source = { branch: this.#branch, sourceId };
    return sinkId === undefined ? source : { ...source, sinkId };
  }
}

function isOfConfiguration(step: Step): step is ConfigurationStep {
  return 'componentId' in step.object;
}

/** The reason that the API gives for a sink that its source disabled, and that comes back with it. */
const waitsWithSource = 'Auto-disabled with the parent source.';

/** An id that the API makes of the name anyway may be longer than one that is given. */
function givenId(id: string, name: string): string | undefined {
  return slug(name) === id ? undefined : id;
}

function sinkBody({ tableId, columns, alter, renamed, ...rest }: SinkFields) {
  if (tableId === undefined && columns === undefined) return rest;
  const renames = renamed === undefined ? {} : { renamed: [...renamed] };
  const altered = alter === undefined ? {} : { alter, ...renames };
  return { ...rest, table: { tableId, ...(columns === undefined ? {} : { mapping: { columns } }), ...altered } };
}

function overridesOf(settings: readonly SettingShape[], level: 'source' | 'sink'): SettingOverrides {
  const own = settings.filter(({ inheritedFrom }) => inheritedFrom === level);
  // The API answers what it keeps: values in their canonical text.
  return Object.fromEntries(own.map(({ key, value }) => [key, value as SettingOverrides[string]]));
}
