/**
 * Why a job ends without its tables, in words for its owner. `user`: the configuration, or what it asks of others, must change;
 * `application`: the job itself could not be done here.
 */
export class JobFault extends Error {
  override readonly name = 'JobFault';
  readonly type: 'user' | 'application';

  constructor(type: 'user' | 'application', message: string, options?: ErrorOptions) {
    super(message, options);
    this.type = type;
  }
}
