import type { Configuration } from '../../core/configuration.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Parts } from '../parts.ts';

/** The parts that changes of configurations use. */
export type ConfigurationParts = Pick<Parts, 'catalog' | 'clock' | 'configurations' | 'random' | 'secrets' | 'tasks'>;

/** What somebody asks to change of a configuration or of a row; what is absent stays. Texts are valid JSON of an object, without blanks. */
export interface WantedFields {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly configuration?: string | undefined;
  readonly state?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  /** Of the version that the change makes. */
  readonly changeDescription?: string | undefined;
}

/** What a configuration and a row have in common. */
export type Described = Pick<Configuration, 'name' | 'description' | 'configuration' | 'state' | 'isDisabled'>;

/** Encrypts the secrets of a text, beside the one that is stored. */
export type Encryption = (text: string, before: string | undefined) => string;

/** `before` with what is wanted otherwise; a text that `before` has already stays, with its ciphertexts. */
export function withFields<Part extends Described>(before: Part, wanted: WantedFields, encrypt: Encryption): Part {
  const { name = before.name, description = before.description, isDisabled = before.isDisabled } = wanted;
  const configuration =
    wanted.configuration === undefined ? before.configuration : encrypt(wanted.configuration, before.configuration);
  const state = wanted.state === undefined ? before.state : encrypt(wanted.state, before.state);
  return { ...before, name, description, configuration, state, isDisabled };
}

/** Refuses a configuration that is too large to be one document, or that has too many rows. */
export function checkSize({ configurationId, rows, ...root }: Configuration): void {
  if (rows.length > limits.rowsPerConfiguration) {
    const message = `configuration "${configurationId}" has as many rows as one may have, ${limits.rowsPerConfiguration}; delete some, or make another configuration`;
    throw new MillraceError('configuration.tooMany', message);
  }
  const bytes = [root, ...rows].reduce((sum, part) => sum + sizeOf(part), 0);
  if (bytes <= limits.configurationWholeBytes) return;
  const message = `configuration "${configurationId}" would have ${bytes} bytes with all its rows and states, the maximum is ${limits.configurationWholeBytes}; make several of it`;
  throw new MillraceError('input.tooLarge', message);
}

function sizeOf({ name, description, configuration, state }: Described): number {
  return Buffer.byteLength(configuration) + Buffer.byteLength(state) + 4 * (name.length + description.length);
}
