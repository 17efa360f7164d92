/** Something that must always hold did not. The text before the first colon is its kind. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A history has drawn as many actions as it may. */
export class Exhausted extends Error {
  override readonly name = 'Exhausted';
}
