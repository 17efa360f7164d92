/** The texts between the parts of JSON in one line. */
export interface JsonStyle {
  readonly emptyArray: string;
  readonly emptyObject: string;
  readonly comma: string;
  readonly colon: string;
}

/** The result of a template. */
export const compact: JsonStyle = { emptyArray: '[]', emptyObject: '{}', comma: ',', colon: ':' };

/** Values within strings: `std.toString`, `+` of a string, `%s`. */
export const spaced: JsonStyle = { emptyArray: '[ ]', emptyObject: '{ }', comma: ', ', colon: ': ' };
