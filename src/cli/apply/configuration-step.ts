import type { ConfigurationRef, DeclaredPart, ScheduleDeclaration } from './configuration-declaration.ts';

/** Fields of an update; what is absent stays. */
export type PartFields = Partial<DeclaredPart>;

/** One operation of the API on a configuration. */
export type ConfigurationStep =
  | { readonly kind: 'createConfiguration'; readonly object: ConfigurationRef; readonly fields: DeclaredPart }
  | { readonly kind: 'updateConfiguration'; readonly object: ConfigurationRef; readonly fields: PartFields }
  | { readonly kind: 'createRow'; readonly object: ConfigurationRef; readonly fields: DeclaredPart }
  | { readonly kind: 'updateRow'; readonly object: ConfigurationRef; readonly fields: PartFields }
  | { readonly kind: 'orderRows'; readonly object: ConfigurationRef; readonly rowIds: readonly string[] }
  | { readonly kind: 'setSchedule'; readonly object: ConfigurationRef; readonly schedule: ScheduleDeclaration }
  /** What is named: a configuration, a row or a schedule. */
  | { readonly kind: 'deletePart'; readonly object: ConfigurationRef };
