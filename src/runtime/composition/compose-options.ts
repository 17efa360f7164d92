import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import type { SecretKeys } from '../../secrets/secret-keys.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import type { Breakdown } from '../breakdown.ts';
import type { Platform } from './platform.ts';
import type { Decorate } from './ports.ts';
import type { PulseLimits } from './pulse.ts';

export interface ComposeOptions {
  readonly config: Config;
  /** Of the main thread, with what Node tells of the process. */
  readonly telemetry: Telemetry;
  readonly platform: Platform;
  /** SHA-256, hexadecimal. */
  readonly rootTokenHash: string;
  /** For secrets of configurations and of the vault. */
  readonly secretKeys: SecretKeys;
  readonly decorate: Decorate;
  readonly threadEntry: URL;
  /** Where everything reports what nothing in the process can mend. */
  readonly breakdown: Breakdown;
  /** How long a role thread may be silent; for tests. */
  readonly pulseLimits?: PulseLimits | undefined;
  /** How long the main thread may be; for tests. */
  readonly mainSilentMs?: number | undefined;
  /** By which sinks are sampled; for tests. */
  readonly samplingClock?: Clock | undefined;
}
