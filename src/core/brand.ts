declare const brand: unique symbol;

/** A string or number that only its parser makes, so that one kind of id is never taken for another. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
