import { CommanderError } from 'commander';
import { brokenExitCode } from '../runtime/product.ts';
import { MillraceError } from '../core/millrace-error.ts';

/** What the shell sees. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  broken: brokenExitCode,
  extractionBroken: 2,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of whatever ended a command. */
export function exitCodeOf(thrown: unknown): ExitCode {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  switch (MillraceError.fromUnknown(thrown).code) {
    case 'client.unreachable':
      return exitCodes.unreachable;
    case 'config.invalid':
    case 'input.invalid':
    case 'client.incomparable':
      return exitCodes.usage;
    case 'client.extractionBroken':
      return exitCodes.extractionBroken;
    case 'data.broken':
    case 'thread.hung':
      return exitCodes.broken;
    default:
      return exitCodes.failed;
  }
}
