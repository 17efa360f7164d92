import type { JsonObject } from './declared-json.ts';

/**
 * A configuration of a component, as a file declares it and as an installation has it, in one form. In a file a secret is the name of a
 * variable of the environment; as it is installed, a ciphertext.
 */
export interface ConfigurationDeclaration extends DeclaredPart {
  readonly componentId: string;
  readonly configurationId: string;
  /** In their order. */
  readonly rows: readonly RowDeclaration[];
  readonly schedule?: ScheduleDeclaration;
}

/** What a configuration and a row have in common. */
export interface DeclaredPart {
  readonly name: string;
  readonly description: string;
  readonly disabled: boolean;
  readonly configuration: JsonObject;
}

export interface RowDeclaration extends DeclaredPart {
  readonly rowId: string;
}

export interface ScheduleDeclaration {
  readonly cron: string;
  readonly timeZone: string;
  readonly disabled: boolean;
  /** Values of variables for its jobs, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly valuesId?: string;
}

/** Names a configuration, with `rowId` one of its rows, with `part` its schedule, within the branch of a command. */
export interface ConfigurationRef {
  readonly componentId: string;
  readonly configurationId: string;
  readonly rowId?: string;
  readonly part?: 'schedule';
  readonly sourceId?: undefined;
  readonly sinkId?: undefined;
}
