import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'

/** The types with an identity. */
export type NodeTypeName =
  | 'Chain'
  | 'ChainHead'
  | 'Currency'
  | 'Deposit'
  | 'InputProgress'
  | 'MultiInputQuote'
  | 'Quote'
  | 'RequestStatus'
  | 'Step'
  | 'StepItem'
  | 'StepProgress'

const description =
  'Id of the object: unique among all objects of this gateway, and the same in every answer. Opaque: pass it to `node`, do not parse it.'

/** Object types implement it with `nodeId`. */
export const NodeType = builder.interfaceRef<object>('Node').implement({
  description:
    'An object with an identity. Clients with a cache store one copy of it, and every answer updates that copy.',
  fields: (t) => ({ id: t.id({ description, resolve: notResolved }) }),
})

/** Each type has an id of its own. */
const notResolved = (): never => {
  throw new Error('A type implements Node without an id')
}

type Key = readonly (string | number)[]

/** The field `id` of a type: its name and the unique key of the object. */
export const nodeId = <Shape>(
  t: FieldsOf<Shape>,
  type: NodeTypeName,
  keyOf: (value: Shape) => Key | Promise<Key>,
  note = '',
) =>
  t.id({
    description: note === '' ? description : `${description} ${note}`,
    resolve: (value) => {
      const key = keyOf(value)
      return key instanceof Promise ? key.then((each) => toId(type, each)) : toId(type, key)
    },
  })

const toId = (type: NodeTypeName, key: Key): string => [type, ...key].join(':')

/** The type and key of an id; `undefined` if the text has no form of an id. */
export function parseId(
  id: string,
): Readonly<{ type: string; key: readonly string[] }> | undefined {
  const [type, ...key] = id.split(':')
  return type === undefined || key.length === 0 ? undefined : { type, key }
}
