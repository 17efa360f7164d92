import type { Api } from '../support/api.ts';
import { chaosEvent, type ChaosEvent } from './event.ts';
import { madeCell, templateColumn } from './made-cell.ts';

/** What a sink makes of an event that lies in its intervals. */
export type Fate = 'row' | 'dead' | 'filtered';

export interface ChaosSink {
  readonly sinkId: string;
  readonly tableId: string;
  readonly columns: readonly object[];
  readonly allowedSignals?: readonly string[];
  /** What must become of an event. */
  readonly fateOf: (event: ChaosEvent) => Fate;
  /** Why a cell is wrong; undefined when the row is right. */
  readonly wrongCell?: (number: number, row: Readonly<Record<string, string>>) => string | undefined;
  /** Every slice is imported at once. */
  readonly importsAtOnce?: true;
  /** How the operator takes it away and brings it back; absent: it takes everything from the first event on. */
  readonly switchedBy?: 'disable' | 'delete';
}

const always = (): Fate => 'row';

function columns(mark: 'a' | 'b' = 'a'): readonly object[] {
  return [
    { type: 'uuid', name: 'id' },
    { type: 'path', name: 'n', path: 'n' },
    { type: 'path', name: 'text', path: 'text', rawString: true },
    { type: 'path', name: 'mark', path: mark, rawString: true },
  ];
}

/** Some events have nothing for it. */
const strictColumn = { type: 'path', name: 'strict', path: 'strict', rawString: true };

/** The sinks of the one source of a crash test: each kind of outcome, and each way to come and go. */
export const chaosSinks: readonly ChaosSink[] = [
  { sinkId: 'all', tableId: 'in.c-chaos.all', columns: columns(), fateOf: always },
  {
    sinkId: 'remapped',
    tableId: 'in.c-chaos.remapped',
    columns: columns(),
    fateOf: always,
    wrongCell: (_, { mark }) => (mark === 'a' || mark === 'b' ? undefined : `mark ${mark}`),
  },
  {
    sinkId: 'made',
    tableId: 'in.c-chaos.made',
    columns: [...columns(), templateColumn('made')],
    fateOf: always,
    wrongCell: (number, { made }) => (made === madeCell(number) ? undefined : `made ${made}`),
  },
  {
    sinkId: 'mended',
    tableId: 'in.c-chaos.mended',
    columns: [...columns(), strictColumn],
    // Its dead letters are replayed, and have to be in their table for that.
    importsAtOnce: true,
    // What was a dead letter while the mapping was broken has been replayed.
    fateOf: always,
    wrongCell: (number, { strict }) => {
      const expected = chaosEvent(number).isComplete ? 'yes' : 'mended';
      return strict === expected ? undefined : `strict ${strict}`;
    },
  },
  {
    sinkId: 'strict',
    tableId: 'in.c-chaos.strict',
    columns: [...columns(), strictColumn],
    fateOf: ({ isComplete }) => (isComplete ? 'row' : 'dead'),
  },
  {
    sinkId: 'signals',
    tableId: 'in.c-chaos.signals',
    columns: columns(),
    allowedSignals: ['logs'],
    fateOf: ({ signal }) => (signal === 'traces' ? 'filtered' : 'row'),
  },
  {
    sinkId: 'switched',
    tableId: 'in.c-chaos.switched',
    columns: columns(),
    fateOf: always,
    switchedBy: 'disable',
  },
  {
    sinkId: 'remade',
    tableId: 'in.c-chaos.remade',
    columns: columns(),
    fateOf: always,
    switchedBy: 'delete',
    // Nobody can hurry the last slice of a deleted sink, and it would keep a run waiting for half a minute.
    importsAtOnce: true,
  },
];

export const sourcePath = '/v1/branches/default/sources/chaos';

export function sinkPath(sinkId: string): string {
  return `${sourcePath}/sinks/${sinkId}`;
}

/** Body that creates a sink. */
export function sinkBody({ sinkId, tableId, columns: mapped, allowedSignals }: ChaosSink): object {
  const table = { type: 'keboola', tableId, mapping: { columns: mapped } };
  return { name: sinkId, sinkId, type: 'table', table, ...(allowedSignals === undefined ? {} : { allowedSignals }) };
}

/** Bodies that change the mapping of the sink `remapped`: another cell, the same columns. */
export const remapping = {
  path: sinkPath('remapped'),
  bodies: (['b', 'a'] as const).map((mark) => ({
    table: { type: 'keboola', tableId: 'in.c-chaos.remapped', mapping: { columns: columns(mark) } },
  })),
} as const;

/** Bodies that change the mapping of the sink `mended`: it refuses some events, or none. */
export const mending = {
  broken: mappingOfMended(strictColumn),
  mended: mappingOfMended({ ...strictColumn, defaultValue: 'mended' }),
} as const;

function mappingOfMended(column: object): object {
  return {
    table: { type: 'keboola', tableId: 'in.c-chaos.mended', mapping: { columns: [...columns(), column] } },
  };
}

type Settings = readonly { readonly key: string; readonly value: string | number }[];

/** Small enough that slices and imports are under way at any moment. */
function fastTriggers(index: number): Settings {
  return [
    { key: 'storage.level.staging.upload.trigger.interval', value: '1s' },
    { key: 'storage.level.staging.upload.trigger.count', value: 50 * (1 + (index % 3)) },
    { key: 'storage.level.target.import.trigger.count', value: 150 * (1 + (index % 3)) },
    { key: 'storage.level.target.import.trigger.interval', value: '30s' },
  ];
}

const importsAtOnce: Settings = [{ key: 'storage.level.target.import.trigger.size', value: '100B' }];
const importsLater: Settings = [{ key: 'storage.level.target.import.trigger.size', value: '50MB' }];

/** Makes the source with all sinks; answers the path to post to. */
export async function createChaosShop(api: Api): Promise<string> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Chaos', sourceId: 'chaos' });
  await api.call('PATCH', `${sourcePath}/settings`, { settings: [...fastTriggers(0), ...importsAtOnce] });
  for (const [index, sink] of chaosSinks.entries()) {
    await api.task('POST', `${sourcePath}/sinks`, sinkBody(sink));
    if (sink.importsAtOnce) continue;
    await api.call('PATCH', `${sinkPath(sink.sinkId)}/settings`, {
      settings: [...fastTriggers(index), ...importsLater],
    });
  }
  const { http } = await api.call<{ http: { url: string } }>('GET', sourcePath);
  return new URL(http.url).pathname;
}
