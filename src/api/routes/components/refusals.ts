import type { ApiErrorName } from '../../errors/api-errors.ts';

/** What every change of a configuration may be refused with, and what else this one may. */
export function refusals(...others: readonly ApiErrorName[]): readonly ApiErrorName[] {
  return [
    'componentsValidation',
    'invalidConfigurationFormat',
    'invalidStateFormat',
    'secretNotEncrypted',
    'configurationConflict',
    ...others,
  ];
}
