import { MillraceError } from '../../core/millrace-error.ts';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import type { ConfigClient, ConfigurationName, ScheduleShape } from '../config/config-client.ts';
import type { ConfigurationDeclaration, ConfigurationRef, ScheduleDeclaration } from './configuration-declaration.ts';
import type { InstalledConfigurations } from './configuration-plan.ts';
import type { ConfigurationStep } from './configuration-step.ts';
import { isJsonObject, jsonText, type Json, type JsonObject } from './declared-json.ts';

/** Every call that `apply`, `diff` and `export` make for the configurations of a branch. */
export class ConfigurationCalls {
  readonly #configs: ConfigClient;
  readonly #branch: string;

  constructor(configs: ConfigClient, branch: string) {
    this.#configs = configs;
    this.#branch = branch;
  }

  /** All configurations, with everything that a file says of them; secrets are ciphertexts. */
  async all(): Promise<readonly ConfigurationDeclaration[]> {
    const found: ConfigurationDeclaration[] = [];
    for (const ref of await this.#refs()) found.push(await this.#read(ref));
    return found;
  }

  /** What there is of those that files declare, and the names of the others. */
  async installed(declared: readonly ConfigurationDeclaration[]): Promise<InstalledConfigurations> {
    const configurations: ConfigurationDeclaration[] = [];
    const undeclared: ConfigurationRef[] = [];
    for (const ref of await this.#refs()) {
      const isDeclared = declared.some(
        ({ componentId, configurationId }) =>
          componentId === ref.componentId && configurationId === ref.configurationId,
      );
      if (isDeclared) configurations.push(await this.#read(ref));
      else undeclared.push(ref);
    }
    return { configurations, undeclared };
  }

  async take({ object, ...step }: ConfigurationStep): Promise<void> {
    const [configs, name] = [this.#configs, this.#nameOf(object)];
    const row = { ...name, rowId: object.rowId ?? '' };
    switch (step.kind) {
      case 'createConfiguration': {
        const { componentId, configurationId } = object;
        const { name: shown, description, disabled: isDisabled, configuration } = step.fields;
        const fields = { name: shown, description, isDisabled, configuration: jsonText(configuration) };
        await configs.create({ branch: this.#branch, componentId }, { configurationId, ...fields });
        return;
      }
      case 'updateConfiguration':
        await configs.update(name, bodyOf(step.fields));
        return;
      case 'createRow':
        await configs.createRow(name, { rowId: row.rowId, ...bodyOf(step.fields) });
        return;
      case 'updateRow':
        await configs.updateRow(row, bodyOf(step.fields));
        return;
      case 'orderRows':
        await configs.update(name, { rowsSortOrder: step.rowIds });
        return;
      case 'setSchedule': {
        const { cron, timeZone, disabled, values, valuesId } = step.schedule;
        const given = Object.entries(values).map(([key, value]) => ({ name: key, value }));
        const variableValuesData = given.length === 0 ? undefined : { values: given };
        const body = { cron, timeZone, isEnabled: !disabled, variableValuesId: valuesId, variableValuesData };
        await configs.setSchedule(name, body);
        return;
      }
      case 'deletePart':
        if (object.part === 'schedule') await configs.removeSchedule(name);
        else if (object.rowId === undefined) await configs.remove(name);
        else await configs.removeRow(row, undefined);
        return;
      default:
        return step satisfies never;
    }
  }

  /** In the order in which they need each other: variables and shared code before what names them. */
  async #refs(): Promise<readonly ConfigurationRef[]> {
    const components = await this.#configs.components(this.#branch, { deleted: false });
    return components.flatMap(({ id, configurations }) =>
      configurations.map((one) => ({ componentId: id, configurationId: one.id })),
    );
  }

  async #read(ref: ConfigurationRef): Promise<ConfigurationDeclaration> {
    const name = this.#nameOf(ref);
    const text = await this.#configs.getText(name);
    const { rows, ...shape } = await this.#configs.get(name);
    const exact = objectOf(parseExactJsonText(text));
    const exactRows = Array.isArray(exact['rows']) ? exact['rows'].map(objectOf) : [];
    const schedule = await this.#schedule(name);
    return {
      componentId: ref.componentId,
      configurationId: ref.configurationId,
      name: shape.name,
      description: shape.description,
      disabled: shape.isDisabled,
      configuration: objectOf(exact['configuration']),
      rows: rows.map(({ id, name: shown, description, isDisabled }, index) => ({
        rowId: id,
        name: shown === '' ? id : shown,
        description,
        disabled: isDisabled,
        configuration: objectOf(exactRows[index]?.['configuration']),
      })),
      ...(schedule === undefined ? {} : { schedule: declaredSchedule(schedule) }),
    };
  }

  async #schedule(name: ConfigurationName): Promise<ScheduleShape | undefined> {
    try {
      return await this.#configs.schedule(name);
    } catch (thrown) {
      if (MillraceError.fromUnknown(thrown).details['status'] === 404) return undefined;
      throw thrown;
    }
  }

  #nameOf({ componentId, configurationId }: ConfigurationRef): ConfigurationName {
    return { branch: this.#branch, componentId, configurationId };
  }
}

function declaredSchedule(shape: ScheduleShape): ScheduleDeclaration {
  const { cron, timeZone, isEnabled, variableValuesId, variableValuesData } = shape;
  const values = Object.fromEntries(variableValuesData.values.map(({ name, value }) => [name, value]));
  return {
    cron,
    timeZone,
    disabled: !isEnabled,
    values,
    ...(variableValuesId === null ? {} : { valuesId: variableValuesId }),
  };
}

function bodyOf({ disabled, configuration, ...rest }: Extract<ConfigurationStep, { kind: 'updateRow' }>['fields']) {
  return {
    ...rest,
    ...(disabled === undefined ? {} : { isDisabled: disabled }),
    ...(configuration === undefined ? {} : { configuration: jsonText(configuration) }),
  };
}

/** What a JSON text gave back. */
function objectOf(value: unknown): JsonObject {
  return isJsonObject(value as Json) ? (value as JsonObject) : {};
}
