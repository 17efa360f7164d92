interface Tag {
  readonly name: string;
  readonly description: string;
  /** Paths of the tag; the first tag that fits is taken. */
  readonly paths: RegExp;
}

const all: readonly Tag[] = [
  {
    name: 'Vault',
    description: 'Values that configurations name and nobody sees again.',
    paths: /^\/v2\/storage\/(branch\/[^/]+\/)?vault/,
  },
  {
    name: 'Components',
    description: 'Configurations of components, their rows and versions.',
    paths: /^\/v2\/storage(\/branch\/[^/]+)?(\/components|$)/,
  },
  {
    name: 'Jobs',
    description: 'Runs of configurations, and their logs.',
    paths: /^\/(search\/)?jobs|^\/v2\/storage\/events/,
  },
  { name: 'Tokens', description: 'Who may do what.', paths: /^\/v2\/storage\/tokens/ },
  { name: 'Files', description: 'What tables are loaded from.', paths: /^\/v2\/storage\/(files|jobs)/ },
  { name: 'Tables', description: 'What was delivered.', paths: /^\/v2\/storage\/(tables|buckets)/ },
  { name: 'Tasks', description: 'Operations that go on after their answer.', paths: /^\/v1\/tasks/ },
  { name: 'Audit', description: 'Who changed what, and when.', paths: /\/audit/ },
  { name: 'Versions', description: 'What sources and sinks were, and the way back.', paths: /\/versions/ },
  { name: 'Settings', description: 'Values at three levels: default, source, sink.', paths: /\/settings/ },
  {
    name: 'Delivery',
    description: 'Where every event is, in exact numbers, and what moves it.',
    paths: /\/(progress|flush|imports|statistics|aggregation|conservation)(\/|$)/,
  },
  { name: 'Sinks', description: 'Mappings of events to tables.', paths: /\/sinks/ },
  { name: 'Sources', description: 'Endpoints that receive events.', paths: /\/sources/ },
  { name: 'Backup', description: 'Copies of everything that a process has.', paths: /^\/v1\/backup/ },
  { name: 'Dead letters', description: 'Events that a mapping refused.', paths: /\/dead-letters/ },
  { name: 'Service', description: 'The API itself.', paths: /^/ },
];

/** The groups of the operations, in the order in which a reader meets them. */
export const tags = [...all.slice(0, -1).toReversed(), ...all.slice(-1)].map(({ name, description }) => ({
  name,
  description,
}));

/** The group of the operations of a path. */
export function tagOf(path: string): string {
  return all.find(({ paths }) => paths.test(path))?.name ?? 'Service';
}
