/** A component that can be configured. `isRunnable`: jobs run it. */
export interface Component {
  readonly id: ComponentId;
  readonly name: string;
  readonly description: string;
  /** Ids of the reference under which it is known, too. */
  readonly aliases: readonly string[];
  readonly isRunnable: boolean;
  readonly type: 'extractor' | 'other';
}

export type ComponentId = 'generic-extractor' | 'variables' | 'shared-code';

/** Every component, in the order in which they are listed. */
export const components: readonly Component[] = [
  {
    id: 'generic-extractor',
    name: 'Generic extractor',
    description: 'Pages through an HTTP API and puts what it finds into tables.',
    aliases: ['ex-generic-v2', 'keboola.ex-generic-v2'],
    isRunnable: true,
    type: 'extractor',
  },
  {
    id: 'variables',
    name: 'Variables',
    description: 'Names of variables, and values of them in rows.',
    aliases: ['keboola.variables'],
    isRunnable: false,
    type: 'other',
  },
  {
    id: 'shared-code',
    name: 'Shared code',
    description: 'Pieces of code that configurations share, a row each.',
    aliases: ['keboola.shared-code'],
    isRunnable: false,
    type: 'other',
  },
];

/** The component that goes by this id or alias; undefined for none. */
export function componentOf(id: string): Component | undefined {
  return components.find((component) => component.id === id || component.aliases.includes(id));
}
