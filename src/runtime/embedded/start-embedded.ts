import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { unlessFailed } from '../../core/unless-failed.ts';
import type { Config } from '../../config/config.ts';
import { isKeyText, SecretKeys } from '../../secrets/secret-keys.ts';
import { createTelemetry, type TelemetryOf } from '../../telemetry/create-telemetry.ts';
import { dataFolderOpen } from '../../telemetry/data-folder-open.ts';
import { tableLogCut } from '../../telemetry/table-log-cut.ts';
import { compose, type Composed } from '../composition/compose.ts';
import type { Decorate } from '../composition/ports.ts';
import { threadEntry } from '../composition/thread-service.ts';
import { FolderBackups } from '../backup/folder-backups.ts';
import { Breakdown } from '../breakdown.ts';
import type { Running } from '../product.ts';
import { runningOf } from '../running.ts';
import {
  dataFolder,
  forgetSecret,
  isOpenToOthers,
  occupyDataFolder,
  prepareDataFolder,
  readOrMakeSecret,
  readSecret,
} from './data-folder.ts';
import { openTables } from './open-tables.ts';
import type { PulseLimits } from '../composition/pulse.ts';
import { embeddedPlatform } from './embedded-platform.ts';
import { openEmbeddedPorts } from './embedded-ports.ts';

export interface EmbeddedOptions {
  readonly config: Config;
  /** For tests that kill the process at a named point. */
  readonly decorate?: Decorate;
  /** Module of the role threads; for the same tests. */
  readonly threadEntry?: URL;
  /** How long the main thread may be silent; for tests. */
  readonly mainSilentMs?: number;
  /** Of the role threads; absent: the product's own. */
  readonly pulseLimits?: PulseLimits;
  /** By which sinks are sampled; for tests. */
  readonly samplingClock?: Clock;
  /** Makes the telemetry of the main thread; absent: the product's own. For the bench of what that costs. */
  readonly telemetryOf?: TelemetryOf;
}

/**
 * Starts the whole product in this process on its data folder: takes the folder's lock, opens the ports, starts the stages
 * and listens. Rejects with a MillraceError that says what is wrong, and leaves nothing behind that runs.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Running> {
  const { config } = options;
  const folder = dataFolder(config.dataDir);
  prepareDataFolder(folder);
  const breakdown = new Breakdown();
  await using stack = new AsyncDisposableStack();
  const telemetry = (options.telemetryOf ?? createTelemetry)({ main: true, level: config.logLevel, role: 'main' });
  if (isOpenToOthers(folder)) dataFolderOpen(telemetry, folder.path);
  // The table store's file is locked by the operating system for as long as it is open: it is the lock of the folder.
  const tables = stack.use(await openTables(folder, config.tables, { onLogCut: (cut) => tableLogCut(telemetry, cut) }));
  occupyDataFolder(folder);
  const token = rootToken(config, folder);
  // Nobody saw the token of a start that fails: the next one makes another, and shows it.
  let isShown = false;
  if (token.isMade) stack.defer(() => (isShown ? undefined : forgetSecret(folder, 'root-token')));
  const ports = await openEmbeddedPorts(folder, { instance: 'main', first: true, onBroken: breakdown.report }, stack);
  const backups = stack.use(new FolderBackups({ folder, tables, telemetry }));
  const composing = compose({
    config,
    telemetry,
    breakdown,
    mainSilentMs: options.mainSilentMs,
    pulseLimits: options.pulseLimits,
    samplingClock: options.samplingClock,
    platform: embeddedPlatform(folder, { ports, tables, backups }),
    rootTokenHash: createHash('sha256').update(token.text).digest('hex'),
    secretKeys: secretKeys(config, folder),
    decorate: options.decorate ?? ((ports) => ports),
    threadEntry: options.threadEntry ?? threadEntry,
  });
  const composed: Composed = await unlessFailed(breakdown.happened, composing);
  stack.use(composed);
  isShown = true;
  return runningOf(composed, {
    stack: stack.move(),
    drainTimeoutMs: config.drainTimeoutMs,
    ...(token.isMade ? { rootTokenShown: token.text } : {}),
  });
}

function rootToken(
  config: Config,
  folder: ReturnType<typeof dataFolder>,
): { readonly text: string; readonly isMade: boolean } {
  if (config.rootToken !== undefined) return { text: config.rootToken.reveal(), isMade: false };
  const made = readOrMakeSecret(folder, 'root-token', () => randomBytes(24).toString('hex'));
  if (made.text.length < 8)
    throw new MillraceError('data.unusable', `"${folder.path}/root-token" holds less than 8 characters`);
  return made;
}

/** Those of the environment first. The one of the folder stays with them: what it has encrypted is in the catalog beside it. */
function secretKeys({ encryptionKeys }: Config, folder: ReturnType<typeof dataFolder>): SecretKeys {
  const given = (encryptionKeys ?? []).map((key) => key.reveal());
  const name = 'encryption-key';
  const kept =
    encryptionKeys === undefined
      ? readOrMakeSecret(folder, name, () => randomBytes(32).toString('hex')).text
      : readSecret(folder, name);
  if (kept !== undefined && !isKeyText(kept))
    throw new MillraceError('data.unusable', `"${folder.path}/${name}" does not hold a key of 32 bytes, hexadecimal`);
  return new SecretKeys(kept === undefined ? given : [...given, kept]);
}
