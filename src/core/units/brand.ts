declare const brand: unique symbol

/** `Value` with a name that exists only for the type checker. */
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name }
