/** What one event costs on its way into its table. */
export interface EventCosts {
  /** User and system time of all threads. */
  readonly processorMicros: number;
  readonly tableBytes: number;
}

export interface SizingResult {
  /** Of each kind of request. */
  readonly events: number;
  readonly eventBytes: number;
  readonly single: EventCosts;
  readonly batched: EventCosts;
  /** Growth of the file of the log over all events of the run, an event. */
  readonly logBytes: number;
  /** An event that waits in staging, because its table is away. */
  readonly stagingBytes: number;
  /** All that was there at the end. */
  readonly catalogMb: number;
  readonly sinksMb: number;
  /** Highest, without pages of files. */
  readonly memoryMb: number;
}

const days = [100_000, 1_000_000, 10_000_000, 100_000_000];
/** The events of a day come within so many seconds of it: a tenth. */
const busySeconds = 8640;
/** `log.retention.interval` as it is unless somebody sets it. */
const logDays = 7;

/** What `npm run sizing -- --write` puts into the guide: measures, and what follows from them as they are written there. */
export function sizingPage(measured: SizingResult, machine: string): string {
  const result = rounded(measured);
  const { single, batched, logBytes, stagingBytes, memoryMb } = result;
  const rows = days.map((events) => [
    events.toLocaleString('en-US'),
    `${cores(events, single)} / ${cores(events, batched)}`,
    memory(result),
    size(events * logBytes * logDays),
    size(events * batched.tableBytes * 30),
    size(events * stagingBytes),
  ]);
  const measures = [
    ['processor time, one event a request', `${single.processorMicros} µs`],
    ['processor time, a hundred events a request', `${batched.processorMicros} µs`],
    ['log of sources', `${logBytes} bytes`],
    ['table', `${batched.tableBytes} bytes`],
    ['staging, while it waits there', `${stagingBytes} bytes`],
    ['memory of the process, at most, for all of them', `${memoryMb} MB`],
  ];
  return `${table(['an event takes', ''], measures)}
${table(
  [
    'events a day',
    'cores, single / batched',
    'memory',
    `log, ${logDays} days`,
    'table, 30 days',
    'a day without the table',
  ],
  rows,
)}
${machine} ${(result.events * 3).toLocaleString('en-US')} events of ${result.eventBytes} bytes; at the end the catalog took ${result.catalogMb} MB, and the topics of sinks ${result.sinksMb} MB.
`;
}

function rounded({ single, batched, ...result }: SizingResult): SizingResult {
  const whole = ({ processorMicros, tableBytes }: EventCosts): EventCosts => ({
    processorMicros: Math.round(processorMicros),
    tableBytes: Math.round(tableBytes),
  });
  return {
    ...result,
    single: whole(single),
    batched: whole(batched),
    logBytes: Math.round(result.logBytes),
    stagingBytes: Math.round(result.stagingBytes),
    catalogMb: Math.round(result.catalogMb),
    sinksMb: Math.round(result.sinksMb),
    memoryMb: Math.round(result.memoryMb),
  };
}

function cores(events: number, { processorMicros }: EventCosts): string {
  const used = (events * processorMicros) / 1e6 / busySeconds;
  return used < 0.1 ? 'below 0.1' : used.toFixed(1);
}

/** In steps of half a gigabyte: what was seen, and as much again for the files that it reads. */
function memory({ memoryMb }: SizingResult): string {
  return `${(Math.ceil((2 * memoryMb) / 512) * 0.5).toFixed(1)} GB`;
}

function size(bytes: number): string {
  return bytes < 1e12 ? `${Math.max(0.1, bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;
}

/** In Markdown, padded as the formatter of this repository does it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...rows].map((row) => (row[at] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line), ''].join('\n');
}
