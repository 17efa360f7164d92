import { MillraceError } from '../../core/millrace-error.ts';

/** This process does not hold the seat: what it was about to change is another process's to change. */
export class SeatLost extends MillraceError {
  constructor() {
    super('seat.lost', 'another process changes things now; look at the object and try again');
  }
}
