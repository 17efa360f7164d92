import type { ConfigurationKey } from '../../src/core/configuration.ts';
import type { MillraceError } from '../../src/core/millrace-error.ts';
import type { ScheduleObserver } from '../../src/telemetry/observe-schedules.ts';

type Decided = Parameters<ScheduleObserver['runDecided']>[1];
type Missed = Parameters<ScheduleObserver['runsMissed']>[1];

/** What observers of schedules were told, in order. */
export class ToldOfSchedules implements ScheduleObserver {
  readonly decided: Decided[] = [];
  readonly missed: Missed[] = [];
  readonly errors: MillraceError[] = [];
  wrongClocks = 0;

  runDecided(_: ConfigurationKey, run: Decided): void {
    this.decided.push(run);
  }

  runsMissed(_: ConfigurationKey, missed: Missed): void {
    this.missed.push(missed);
  }

  clockWasWrong(): void {
    this.wrongClocks += 1;
  }

  heldUp(_: ConfigurationKey, error: MillraceError): void {
    this.errors.push(error);
  }
}
