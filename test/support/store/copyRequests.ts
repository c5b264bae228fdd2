import { randomBytes } from 'node:crypto'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import type { StoreHome } from './storeHome.ts'

const newId = () => `0x${randomBytes(32).toString('hex')}` as const

/** Stores copies of one unpaid quote and of one successful request: one of each a millisecond, the paid ones first. */
export async function copyRequests(
  home: StoreHome,
  { unpaid, paid }: Readonly<{ unpaid: number; paid: number }>,
): Promise<void> {
  const [quote, request] = [newId(), newId()]
  const store = await home.open()
  await store.put({ ...quotedRequest(quote), createdAt: 1_800_000_000_000 })
  await store.put(quotedRequest(request))
  const stored = await store.find(request)
  if (stored === undefined) throw new Error('It was not stored')
  const state = { ...stored.state, seq: 1, status: 'success' } as const
  await store.save({ requests: [{ ...stored, state }] })
  await store.close()
  await home.query(copies(quote, unpaid))
  await home.query(copies(request, paid))
}

const copies = (requestId: string, count: number): string => `
  insert into requests
  select (json_populate_record(request, json_build_object(
    'request_id', '0x' || md5(request_id || n) || md5(n || request_id),
    'order_id', '0x' || md5(order_id || n) || md5(n || order_id),
    'created_at', created_at + n
  ))).*
  from requests request, generate_series(1, ${count}) n
  where request_id = '${requestId}'`
