import { expect, it, onTestFinished } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'

const [crowded, quiet] = [toChainId(1), toChainId(2)]
const hashOf = (at: number): `0x${string}` => `0x${at.toString(16).padStart(64, '0')}`

it.each(storeHomes)(
  'a chain without a tracker keeps 10,000 hints on %s: the client with the most makes room',
  async (_, createHome) => {
    const home = await createHome()
    onTestFinished(() => home.remove())
    // Makes the tables.
    await (await home.open()).close()
    await home.query(`insert into hints (chain_id, tx_hash, caller)
      select ${crowded}, '0x' || lpad(to_hex(at), 64, '0'), case when at % 4 = 0 then 'few' else 'many' end
      from generate_series(1, 10000) as at`)
    const store = await home.open()
    onTestFinished(() => store.close())
    for (const at of [10_001, 10_002])
      await store.addHint({ chainId: crowded, txHash: hashOf(at), caller: 'new' })
    await store.addHint({ chainId: crowded, txHash: hashOf(10_003) })
    await store.addHint({ chainId: quiet, txHash: hashOf(1) })
    const hints = await store.takeHints(crowded)
    const of = (name?: string) => hints.filter(({ caller }) => caller === name)
    expect([of('few'), of('many'), of('new'), of()].map((each) => each.length)).toEqual([
      ...[2_500, 7_497, 2, 1],
    ])
    // The three oldest ones of `many` are gone.
    expect(of('many')[0]?.txHash).toBe(hashOf(5))
    // A chain with room loses none.
    await store.addHint({ chainId: quiet, txHash: hashOf(2) })
    expect(await store.takeHints(quiet)).toHaveLength(2)
  },
)
