// Node has it; the declarations of TypeScript for es2024 do not.
const { rawJSON } = JSON as unknown as Readonly<{ rawJSON: (text: string) => unknown }>

/** The JSON text. Each bigint becomes a number, whole: amounts of lamports do not fit into a double. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? rawJSON(`${each}`) : each))
