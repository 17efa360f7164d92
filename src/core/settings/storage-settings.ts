import type { Setting, SettingKind, SettingValue } from './setting.ts';

const kb = 1024;
const mb = 1024 * kb;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

const noEffect = 'No effect in this product, kept for clients that read it: ';

/** What the reference calls it, for users (`open`) and for the operator only (`closed`). */
function setting(isProtected: boolean) {
  return (
    key: string,
    value: readonly [kind: SettingKind, defaultValue: SettingValue],
    description: string,
  ): Setting => ({
    key: `storage.level.${key}`,
    kind: value[0],
    defaultValue: value[1],
    description,
    protected: isProtected,
    level: 'both',
    ...(description.startsWith(noEffect) ? { effect: 'none' } : {}),
  });
}

const open = setting(false);
const closed = setting(true);

function int(min: number, max: number): SettingKind {
  return { kind: 'int', min, max };
}

function size(minBytes: number, maxBytes: number): SettingKind {
  return { kind: 'size', minBytes, maxBytes };
}

function duration(minMs: number, maxMs: number): SettingKind {
  return { kind: 'duration', minMs, maxMs };
}

function choice(...values: readonly string[]): SettingKind {
  return { kind: 'choice', values };
}

const local: readonly Setting[] = [
  closed(
    'local.encoding.compression.type',
    [choice('none', 'gzip'), 'gzip'],
    'Compression of slices in staging. Where it is not given, `staging.compression` of the topology decides; on one machine they are not compressed.',
  ),
  closed('local.encoding.compression.gzip.level', [int(1, 9), 1], 'GZIP level of slices in staging.'),
  closed(
    'local.encoding.compression.gzip.implementation',
    [choice('standard', 'fast', 'parallel'), 'parallel'],
    `${noEffect}GZIP implementation.`,
  ),
  closed(
    'local.encoding.compression.gzip.blockSize',
    [size(16 * kb, 100 * mb), '256KB'],
    `${noEffect}GZIP block size.`,
  ),
  closed(
    'local.encoding.compression.gzip.concurrency',
    [int(0, Number.MAX_SAFE_INTEGER), 0],
    `${noEffect}GZIP concurrency, 0 for automatic.`,
  ),
  closed('local.encoding.encoder.type', [choice('csv'), 'csv'], 'Format of slices; CSV is the only one.'),
  closed('local.encoding.encoder.concurrency', [int(0, 256), 0], `${noEffect}encoders at a time, 0 for all cores.`),
  closed('local.encoding.inputBuffer', [size(0, 16 * mb), '2MB'], `${noEffect}buffer before compression, 0 for none.`),
  closed('local.encoding.maxChunkSize', [size(64 * kb, mb), '512KB'], `${noEffect}size of a message to a disk writer.`),
  closed(
    'local.encoding.failedChunksThreshold',
    [int(1, 100), 3],
    `${noEffect}unsent messages until a disk writer counts as not ready.`,
  ),
  closed(
    'local.encoding.sync.mode',
    [choice('disk', 'cache'), 'disk'],
    `${noEffect}an event is always synced to the disk; see sync.wait for what the answer waits for.`,
  ),
  open(
    'local.encoding.sync.wait',
    [{ kind: 'bool' }, true],
    'Whether the answer waits until the event is on disk (200), or is given when it is accepted in memory (202).',
  ),
  closed(
    'local.encoding.sync.checkInterval',
    [duration(1, 30 * second), '5ms'],
    `${noEffect}time between checks of the sync conditions.`,
  ),
  closed('local.encoding.sync.countTrigger', [int(1, 1_000_000), 10_000], `${noEffect}records that start a sync.`),
  closed(
    'local.encoding.sync.uncompressedBytesTrigger',
    [size(100, 500 * mb), '1MB'],
    `${noEffect}bytes that start a sync.`,
  ),
  closed(
    'local.encoding.sync.compressedBytesTrigger',
    [size(100, 100 * mb), '256KB'],
    `${noEffect}compressed bytes that start a sync.`,
  ),
  closed(
    'local.encoding.sync.intervalTrigger',
    [duration(10, 30 * second), '50ms'],
    `${noEffect}time that starts a sync.`,
  ),
  closed('local.volume.assignment.count', [int(1, 100), 1], `${noEffect}volumes of a sink.`),
  closed(
    'local.volume.assignment.preferredTypes',
    [{ kind: 'list', minItems: 1 }, ['default']],
    `${noEffect}preferred kinds of volumes.`,
  ),
];

const staging: readonly Setting[] = [
  open(
    'staging.upload.trigger.count',
    [int(1, 10_000_000), 10_000],
    'Step 1: the open slice of a partition is closed and staged when it holds so many records.',
  ),
  open(
    'staging.upload.trigger.size',
    [size(100, 50 * mb), '5MB'],
    'Step 1: the open slice of a partition is closed and staged when its CSV has so many bytes before compression.',
  ),
  open(
    'staging.upload.trigger.interval',
    [duration(second, 30 * minute), '30s'],
    'Step 1: the open slice of a partition is closed and staged so long after its first record.',
  ),
];

const target: readonly Setting[] = [
  open(
    'target.import.trigger.count',
    [int(1, 10_000_000), 50_000],
    'Step 2: all staged slices of the sink are imported when they hold so many records.',
  ),
  open(
    'target.import.trigger.size',
    [size(100, 500 * mb), '50MB'],
    'Step 2: all staged slices of the sink are imported when their CSV has so many bytes before compression.',
  ),
  open(
    'target.import.trigger.interval',
    [duration(30 * second, 24 * hour), '1m0s'],
    'Step 2: all staged slices of the sink are imported so long after the first one was staged.',
  ),
  closed(
    'target.import.trigger.slicesCount',
    [int(1, 200), 100],
    'Step 2: all staged slices of the sink are imported when there are so many of them.',
  ),
  closed(
    'target.import.trigger.expiration',
    [duration(5 * minute, 45 * minute), '30m0s'],
    `${noEffect}time that upload credentials have left when an import is forced.`,
  ),
];

/** The 27 settings of the reference: those of the triggers and of `sync.wait` are the user's, the others the operator's. */
export const storageSettings: readonly Setting[] = [...local, ...staging, ...target];
