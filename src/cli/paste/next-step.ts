import type { SinkShape } from '../api-shapes.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { AdminClient } from '../client.ts';
import type { ObjectName } from '../object-name.ts';
import type { ProgressShape } from '../progress-shape.ts';
import { firstTable, type PasteLine, type PasteLines } from './paste-lines.ts';

/** A sentence for a person, and what to type then. */
export interface Advice {
  readonly text: string;
  readonly lines: readonly PasteLine[];
}

export function adviceText({ text, lines }: Advice): string {
  return [text, ...lines.map((line) => `  ${line}`)].join('\n');
}

export function noSources(lines: PasteLines): Advice {
  return { text: 'There are no sources yet. Make one with:', lines: [lines.createSource('Shop')] };
}

/** Where there is no sink: what leads to one, of this source or of any. */
export async function noSinks(
  client: AdminClient,
  { branch, sourceId }: { readonly branch: string; readonly sourceId?: string | undefined },
  lines: PasteLines,
): Promise<Advice> {
  const id = sourceId ?? (await client.listSources(branch))[0]?.sourceId;
  if (id === undefined) return noSources(lines);
  return { text: 'There are no sinks yet. Make one with:', lines: [lines.createSink(id, firstTable(id))] };
}

/** What leads to the first table, or to the rows of one that a sink makes with them. */
export async function noTables(
  client: AdminClient,
  { branch }: { readonly branch: string },
  lines: PasteLines,
): Promise<Advice> {
  const advice = await noSinks(client, { branch }, lines);
  return { ...advice, text: 'There are no tables yet. A sink of a source makes one:' };
}

/** Where some events became dead letters: how to see why. Undefined where there are none. */
export function adviceOnDead(sinks: readonly ProgressShape[], lines: PasteLines): Advice | undefined {
  const refusing = sinks.filter(({ totals }) => totals.dead > 0);
  const dead = refusing.reduce((sum, { totals }) => sum + totals.dead, 0);
  if (dead === 0) return undefined;
  const [first, ...others] = new Set(refusing.map(({ sourceId }) => sourceId));
  const text = dead === 1 ? '1 event is a dead letter. See why:' : `${dead} events are dead letters. See why:`;
  return { text, lines: [lines.deadLetters(others.length === 0 ? first : undefined)] };
}

/** How to look at what stays of a sink that is about to be deleted. */
export async function adviceOnTables(client: AdminClient, sink: ObjectName, lines: PasteLines): Promise<Advice> {
  const { sourceId, sinkId = '' } = { sinkId: undefined, ...sink };
  const { table } = await client.getSink({ ...sink, sinkId });
  const hasLetters = (await client.listTables()).some(({ id }) => id === deadLetterTable);
  const shown = lines.showTable(table.tableId);
  return { text: 'To see what stays:', lines: hasLetters ? [shown, lines.deadLetters(sourceId)] : [shown] };
}

/** For who has just started the product: towards the first row, or how things stand. */
export async function firstSteps(client: AdminClient, lines: PasteLines): Promise<Advice> {
  const text = 'Next, in another terminal in this folder:';
  const isEmpty = (await client.listSources('default')).length === 0;
  if (!isEmpty) {
    const letters = (await client.listTables()).find(({ id }) => id === deadLetterTable)?.rowsCount ?? 0;
    return { text, lines: [lines.progress(), ...(letters > 0 ? [lines.deadLetters()] : [])] };
  }
  const sink = lines.createSink('shop', firstTable('shop'));
  return { text, lines: [lines.createSource('Shop'), sink, lines.sendEvent('shop', '{"hello":"world"}')] };
}

/** An event that the columns of a new sink take, where one can be made up; else where to send others. */
export async function adviseToSend({ sourceId, table }: SinkShape, lines: PasteLines): Promise<Advice> {
  const { sampleEvent } = await import('./sample-event.ts');
  const body = sampleEvent(table.mapping.columns);
  if (body === undefined)
    return { text: 'Its events go to the URL of the source:', lines: [lines.showSource(sourceId)] };
  return {
    text: 'Send it something, and see the row:',
    lines: [lines.sendEvent(sourceId, body), lines.flush(sourceId), lines.showTable(table.tableId)],
  };
}
