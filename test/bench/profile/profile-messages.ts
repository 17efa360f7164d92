/** From the main thread to the others, and back. */
export type ProfileMessage = 'begin' | 'end' | 'begun' | 'written';

/** Between two samples. */
export const samplingMicroseconds = 500;
