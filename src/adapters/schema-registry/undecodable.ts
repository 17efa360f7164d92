/** Why a value or a schema cannot be read; never leaves the folder. */
export class Undecodable extends Error {
  override readonly name = 'Undecodable';
}
