import type { Configuration, ConfigurationKey, ConfigurationVersion } from '../../core/configuration.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import { takeConfigurationNumber } from '../store/counter.ts';
import type { ComponentKey } from '../store/configurations.ts';
import { randomText } from '../store/random-text.ts';
import { aloneOnConfiguration } from './alone-on-configuration.ts';
import { removeSchedule } from './change-schedule.ts';
import {
  withFields,
  type ConfigurationParts,
  type Described,
  type Encryption,
  type WantedFields,
} from './configuration-changes.ts';
import { writeConfiguration } from './write-configuration.ts';

export interface ConfigurationCreation {
  readonly component: ComponentKey;
  /** Absent: a number that no other configuration of the installation has. */
  readonly configurationId?: string | undefined;
  readonly wanted: WantedFields & { readonly name: string };
  /** Given when it is a copy, whose texts are encrypted already. */
  readonly rows?: Configuration['rows'];
  readonly change: Change;
}

/**
 * Makes a configuration. Under the id of a deleted one it takes its place: versions go on, rows and schedule are gone.
 * `configuration.exists`, `configuration.tooMany`.
 */
export async function createConfiguration(
  parts: ConfigurationParts,
  { component, configurationId, wanted, rows = [], change }: ConfigurationCreation,
  options: Waiting,
): Promise<Configuration> {
  const encrypt = await parts.secrets.encryptionOf(component.componentId, options);
  const key = { ...component, configurationId: configurationId ?? (await freeId(parts, component, options)) };
  return aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    const before = await parts.configurations.find(key, options);
    if (before !== undefined && before.deleted === undefined) throw exists(key);
    if (before === undefined) await checkCount(parts, component, options);
    const stamp = stampNow(parts, change.by);
    const note = wanted.changeDescription ?? 'Configuration created';
    const fresh = madeOf(key, { wanted, rows, encrypt, stamp });
    await change.begin({ kind: 'configuration', ...key }, options);
    if (before !== undefined) await removeSchedule(parts, key, options);
    const make = (found: Configuration | undefined): Configuration => {
      const { deleted: _, ...kept } = found ?? {};
      return { ...kept, ...fresh };
    };
    return writeConfiguration(parts, { key, before, make, note, stamp, always: true }, options);
  });
}

interface Making extends Pick<ConfigurationCreation, 'wanted'> {
  readonly rows: Configuration['rows'];
  readonly encrypt: Encryption;
  readonly stamp: Stamp;
}

const nothing: Described = { name: '', description: '', configuration: '{}', state: '{}', isDisabled: false };

function madeOf(key: ConfigurationKey, { wanted, rows, encrypt, stamp }: Making): Configuration {
  // The version is put in when it is written.
  const version: ConfigurationVersion = { number: 1, changeDescription: '', ...stamp };
  return { ...key, ...withFields(nothing, wanted, encrypt), version, created: stamp, rows };
}

async function freeId(parts: ConfigurationParts, component: ComponentKey, options: Waiting): Promise<string> {
  for (;;) {
    const number = await takeConfigurationNumber(parts.catalog, randomText(parts.random, 16), options);
    const configurationId = String(number);
    if ((await parts.configurations.find({ ...component, configurationId }, options)) === undefined)
      return configurationId;
  }
}

async function checkCount(
  { configurations }: Pick<ConfigurationParts, 'configurations'>,
  component: ComponentKey,
  options: Waiting,
): Promise<void> {
  if ((await configurations.count(component, options)) < limits.configurationsPerComponent) return;
  const message = `component "${component.componentId}" has as many configurations in the branch as it may have, ${limits.configurationsPerComponent}, deleted ones counted; delete those that nobody uses, twice`;
  throw new MillraceError('configuration.tooMany', message);
}

function exists({ configurationId }: ConfigurationKey): MillraceError {
  return new MillraceError('configuration.exists', `Configuration ${configurationId} already exists`);
}
