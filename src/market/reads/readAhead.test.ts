import { pad, toHex } from 'viem'
import { expect, it } from 'vitest'
import { createReadAhead } from './readAhead.ts'

const blockOf = (number: number) => ({ hash: pad(toHex(number)), number })

/** Counts the reads of each block. The first read of a block in `fails` fails; reads are out of date while `isOld`. */
function start(fails: readonly number[] = []) {
  const reads: number[] = []
  const state = { isOld: false }
  const ahead = createReadAhead(
    async ({ number }: ReturnType<typeof blockOf>) => {
      reads.push(number)
      const times = reads.filter((each) => each === number).length
      if (fails.includes(number) && times === 1) throw new Error('header not found')
      return { number, times }
    },
    () => !state.isOld,
  )
  return { ahead, reads, state }
}

it('reads once for a block that was begun, and for one that was not', async () => {
  const { ahead, reads } = start()
  ahead.begin(blockOf(1))
  expect(await ahead.take(blockOf(1))).toEqual({ number: 1, times: 1 })
  expect(await ahead.take(blockOf(2))).toEqual({ number: 2, times: 1 })
  expect(reads).toEqual([1, 2])
})

it('never returns the read of another block', async () => {
  const { ahead, reads } = start()
  ahead.begin(blockOf(1))
  ahead.begin(blockOf(2))
  expect(await ahead.take(blockOf(3))).toEqual({ number: 3, times: 1 })
  expect(await ahead.take(blockOf(2))).toEqual({ number: 2, times: 2 })
  expect(reads).toEqual([1, 2, 3, 2])
})

it('reads again after a failure, or if the read is out of date', async () => {
  const { ahead, state } = start([1])
  ahead.begin(blockOf(1))
  expect(await ahead.take(blockOf(1))).toEqual({ number: 1, times: 2 })
  ahead.begin(blockOf(2))
  state.isOld = true
  expect(await ahead.take(blockOf(2))).toEqual({ number: 2, times: 2 })
})
