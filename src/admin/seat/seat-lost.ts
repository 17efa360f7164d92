import { ApiError } from '../errors/api-error.ts';

/** This process does not hold the seat: what it was about to change is another process's to change. */
export class SeatLost extends ApiError {
  constructor() {
    const message = 'another process changes things now; look at the object and try again';
    super('serviceUnavailable', message, { code: 'seat.lost', headers: { 'Retry-After': '1' } });
  }
}
