declare const brand: unique symbol

/** `Value` with a name that the compiler checks and the runtime never sees. */
export type Branded<Value, Name extends string> = Value & { readonly [brand]: Name }
