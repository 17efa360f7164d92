/** What a person wants to know of a source or sink at a glance. */
export function stateOf({
  disabled,
}: {
  readonly disabled?: { readonly at: string; readonly reason: string };
}): string {
  return disabled === undefined ? 'enabled' : `disabled since ${disabled.at} (${disabled.reason})`;
}
