/** A sink of the demo as `millrace sink create` takes it. */
export interface DemoSink {
  readonly name: string;
  readonly tableId: string;
  readonly columns: readonly string[];
}

/** Fields of the payload, each with a default because some kinds of events do not have it. */
export const eventsSink: DemoSink = {
  name: 'Events',
  tableId: 'in.c-github.events',
  columns: [
    'id:uuid',
    'at:datetime',
    'repository:text:repository.full_name?=',
    'action:text:action?=',
    'sender:text:sender.login?=',
    'stars:text:repository.stargazers_count?=',
    `summary:template-text:'%s by %s' % [Body('action', 'event'), Body('sender.login', 'nobody')]`,
    'headers:headers',
  ],
};

/** Every delivery as it came, to be joined by id. */
export const rawSink: DemoSink = {
  name: 'Raw',
  tableId: 'in.c-github.raw',
  columns: ['id:uuid', 'at:datetime', 'body:body'],
};
