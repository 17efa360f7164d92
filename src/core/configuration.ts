import type { ComponentId } from './component.ts';
import type { BranchId } from './ids.ts';
import type { Stamp } from './source.ts';

export interface ConfigurationKey {
  readonly branchId: BranchId;
  readonly componentId: ComponentId;
  readonly configurationId: string;
}

/** What each version of a configuration, and of a row, says of itself. */
export interface ConfigurationVersion extends Stamp {
  /** From 1. */
  readonly number: number;
  readonly changeDescription: string;
}

/** A part of a configuration with parameters of its own; for variables a set of values. */
export interface ConfigurationRow {
  readonly rowId: string;
  readonly name: string;
  readonly description: string;
  /** JSON text of an object, as it was written: key order and digits count. Encrypted values are in it as ciphertext. */
  readonly configuration: string;
  /** JSON text of an object. */
  readonly state: string;
  readonly isDisabled: boolean;
  readonly version: ConfigurationVersion;
  readonly created: Stamp;
}

/**
 * A configuration of a component with its rows, collection `configuration`. One document, so that a change of a row and the version of the
 * configuration that comes with it are one write.
 */
export interface Configuration extends ConfigurationKey {
  readonly name: string;
  readonly description: string;
  /** JSON text of an object, as of a row. */
  readonly configuration: string;
  /** JSON text of an object; a change of it makes no version. */
  readonly state: string;
  readonly isDisabled: boolean;
  readonly version: ConfigurationVersion;
  readonly created: Stamp;
  readonly deleted?: Stamp;
  /** In their order. */
  readonly rows: readonly ConfigurationRow[];
}
