import * as TypedData from 'ox/TypedData'
import {
  type Hex,
  keccak256,
  numberToHex,
  recoverAddress,
  type Signature,
  serializeSignature,
  serializeTransaction,
} from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { Signer } from './signer.ts'

/** A remote signer does not sign. Nothing was signed or sent, and the caller retries. */
class SignerUnavailableError extends AppError {
  override readonly reason: string

  constructor(url: string, reason: string) {
    super('SERVICE_UNAVAILABLE', 'The signer is not available')
    this.reason = `The remote signer ${url} does not sign: ${reason}`
  }
}

type Key = Readonly<{ address: Address; identifier: string }>

/**
 * A signer whose key is in a Web3Signer (eth1 mode). Each signature is checked against the account, so that the
 * signature of a wrong key or of a man in the middle is never used.
 * @param expected its account; undefined: the only account of the remote signer
 * @param refuse creates the error to throw from a reason
 * @source Web3Signer's eth1 API: ETH1_LIST and ETH1_SIGN
 */
export async function openRemoteSigner(
  url: string,
  expected: Address | undefined,
  refuse: (reason: string) => Error,
): Promise<Signer> {
  const base = url.replace(/\/+$/, '')
  const keys = await readKeys(base).catch((error: unknown) => {
    throw refuse(`the remote signer ${base} does not list its keys: ${reasonOf(error)}`)
  })
  const held = `it holds: ${keys.map(({ address }) => address).join(', ') || 'no key'}`
  if (expected === undefined && keys.length !== 1)
    throw refuse(`the remote signer ${base} must hold exactly one key, but ${held}`)
  const key = expected === undefined ? keys[0] : keys.find(({ address }) => address === expected)
  if (key === undefined)
    throw refuse(`the remote signer ${base} does not have the key of ${expected}; ${held}`)
  return createRemoteSigner(base, key)
}

function createRemoteSigner(base: string, { address, identifier }: Key): Signer {
  /** `data` is the encoding, not its hash: the remote signer hashes it by keccak-256. */
  async function sign(data: Hex): Promise<Signature> {
    try {
      const answer = await ask(`${base}/api/v1/eth1/sign/${identifier}`, { data })
      return await readSignature(answer, keccak256(data), address)
    } catch (error) {
      throw new SignerUnavailableError(base, reasonOf(error))
    }
  }
  return {
    address,
    signTransaction: async (transaction) =>
      serializeTransaction(transaction, await sign(serializeTransaction(transaction))),
    signTypedData: async (typedData) =>
      serializeSignature(await sign(TypedData.encode(typedData as TypedData.encode.Value))),
  }
}

/** An uncompressed public key of 64 bytes, or of 65 with the prefix 04. */
const publicKeys = z.array(z.string().regex(/^(0x)?(04)?[0-9a-f]{128}$/i))

async function readKeys(base: string): Promise<readonly Key[]> {
  const answer = await ask(`${base}/api/v1/eth1/publicKeys`)
  const listed = publicKeys.safeParse(parseJson(answer))
  if (!listed.success) throw new Error('its answer is not a list of public keys')
  return listed.data.map((identifier) => ({
    address: toAddress(publicKeyToAddress(`0x04${identifier.slice(-128)}`)),
    identifier,
  }))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answered = /^"?0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)"?$/i
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A signature of 65 bytes (r, s, v) by `address`. Moves `s` to the lower half, which contracts require. */
async function readSignature(answer: string, hash: Hex, address: Address): Promise<Signature> {
  const [, r, s, v = '00'] = answered.exec(answer.trim()) ?? []
  if (r === undefined || s === undefined) throw new Error('its answer is not a signature')
  const scalar = BigInt(`0x${s}`)
  const isHigh = scalar > curveOrder / 2n
  const yParity = Number(`0x${v}`) % 27 === (isHigh ? 1 : 0) ? 0 : 1
  const signature = {
    r: `0x${r}`,
    s: numberToHex(isHigh ? curveOrder - scalar : scalar, { size: 32 }),
    yParity,
    v: BigInt(27 + yParity),
  } as const
  const signedBy = await recoverAddress({ hash, signature }).catch(() => 'nobody')
  if (signedBy.toLowerCase() !== address)
    throw new Error('its signature is not of the account that it was asked for')
  return signature
}

/** A signature takes milliseconds, or seconds with a hardware module. */
const timeoutMs = 10_000
/** Room for thousands of listed public keys. */
const maxAnswerLength = 1_000_000

/** The text of a successful answer. @throws Error with a short reason */
async function ask(url: string, body?: Readonly<Record<string, string>>): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.length > maxAnswerLength) throw new Error('its answer is too long')
  }
  if (!response.ok) throw new Error(`it answered HTTP ${response.status}`)
  return text
}
