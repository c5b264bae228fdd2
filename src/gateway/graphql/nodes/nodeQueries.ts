import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { boundedList } from '#src/service/input/inputFields.ts'
import { findNode } from './findNode.ts'
import { NodeType } from './nodeType.ts'

const idField = z.string().max(256, 'At most 256 characters')

const maxIds = 100

/** Cost of a node: some need two queries of the database. */
const nodeCost = 10

builder.queryFields((t) => ({
  node: t.field({
    type: NodeType,
    nullable: true,
    description:
      'The current object with an id; null if there is none. A quote and its steps have only their stored fields: fields of the price, such as `fees`, `blocks` and `details`, fail with NOT_FOUND.',
    args: t.validate(
      { id: t.arg.id({ required: true, description: 'The `id` of an earlier answer.' }) },
      z.strictObject({ id: idField }),
    ),
    extensions: { cost: nodeCost },
    resolve: (_, { id }, context) => findNode(id, context),
  }),
  nodes: t.field({
    type: t.listRef(NodeType, { nullable: true }),
    description: 'The objects with these ids, in the same order; null for an id without an object.',
    args: t.validate(
      {
        ids: t.arg.idList({
          required: true,
          description: 'The `id`s of earlier answers, at most 100.',
        }),
      },
      z.strictObject({ ids: boundedList(idField, maxIds, `At most ${maxIds} ids`) }),
    ),
    extensions: { itemCost: nodeCost, items: 'ids' },
    resolve: (_, { ids }, context) => ids.map((id) => findNode(id, context)),
  }),
}))
