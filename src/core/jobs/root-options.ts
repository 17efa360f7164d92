/** What stands at the root of a configuration that a job runs. */
export const rootOptions: readonly string[] = [
  'parameters',
  'runtime',
  'variables_id',
  'variables_values_id',
  'shared_code_id',
  'shared_code_row_ids',
  'image_parameters',
  'storage',
  'authorization',
  'action',
  'processors',
  'artifacts',
];

/** What is wrong with the root of a configuration, in the words of the reference; undefined when nothing is. */
export function rootFault(configuration: object): string | undefined {
  const unknown = Object.keys(configuration).filter((key) => !rootOptions.includes(key));
  if (unknown.length === 0) return undefined;
  const available = rootOptions.map((option) => `"${option}"`).join(', ');
  const named = `Unrecognized option${unknown.length === 1 ? '' : 's'} "${unknown.join(', ')}"`;
  return `${named} under "configuration". Available options are ${available}.`;
}
