import { createHash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { AppError } from '#src/core/errors.ts'
import { maxDocumentLength } from './documentLimits.ts'

/** The document in a client's request: its text, its id, or both. */
type SentDocument = Readonly<{
  query?: unknown
  /** Id of a trusted document: the key in the operator's file, or `sha256:<hash>`. */
  documentId?: unknown
  /** Contains `persistedQuery`, as Apollo's clients send it. */
  extensions?: unknown
}>

/** Documents that clients name instead of sending them. */
export type PersistedDocuments = Readonly<{
  /** Whether documents are executed that the operator has not listed. */
  acceptsAny: boolean
  /**
   * The text of the sent document; `undefined` if the client sends neither a text nor an id.
   * @throws AppError PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_MISMATCH, UNTRUSTED_DOCUMENT, INVALID_REQUEST
   */
  textOf: (sent: SentDocument) => string | undefined
}>

/** Maximum characters of all registered documents together. The least recently used ones are dropped. */
const maxRegistered = 8_000_000

/**
 * Registers documents that clients send with their hash, and finds them by it (automatic persisted queries). With
 * `trusted` (documents by id) it registers nothing, and accepts only these documents.
 */
export function createPersistedDocuments(
  trusted?: ReadonlyMap<string, string>,
): PersistedDocuments {
  const texts = new Set(trusted?.values())
  const registered = new LRUCache<string, string>({
    maxSize: maxRegistered,
    sizeCalculation: ({ length }) => Math.max(1, length),
  })

  const find = (id: string): string => {
    const text = trusted === undefined ? registered.get(id) : trusted.get(id)
    // Clients know this message, and then send the document with its hash.
    if (text === undefined && trusted === undefined)
      throw new AppError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    if (text === undefined)
      throw new UntrustedDocumentError(`The id ${id} names none of its documents`)
    return text
  }

  const register = (hash: string, text: string): void => {
    if (createHash('sha256').update(text).digest('hex') !== hash)
      throw new AppError(
        'PERSISTED_QUERY_MISMATCH',
        'extensions.persistedQuery.sha256Hash is not the SHA-256 hash of the document',
      )
    if (trusted === undefined && text.length <= maxDocumentLength) registered.set(hash, text)
  }

  return {
    acceptsAny: trusted === undefined,
    textOf: ({ query, documentId, extensions }) => {
      const hash = hashIn(extensions)
      const text = typeof query === 'string' && query !== '' ? query : undefined
      if (text === undefined) {
        const id = hash ?? idIn(documentId)
        return id === undefined ? undefined : find(id)
      }
      if (hash !== undefined) register(hash, text)
      if (trusted !== undefined && !texts.has(text))
        throw new UntrustedDocumentError('This document is not one of them')
      return text
    },
  }
}

/** The gateway executes only the documents of the operator's list. */
class UntrustedDocumentError extends AppError {
  constructor(problem: string) {
    super('UNTRUSTED_DOCUMENT', `This gateway executes its trusted documents only. ${problem}`)
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The hash of `extensions.persistedQuery`, in lower case; `undefined` without it. @throws AppError INVALID_REQUEST */
function hashIn(extensions: unknown): string | undefined {
  const persisted = isRecord(extensions) ? extensions['persistedQuery'] : undefined
  if (persisted == null) return undefined
  const { version, sha256Hash } = isRecord(persisted) ? persisted : {}
  if (version === 1 && typeof sha256Hash === 'string' && /^[0-9a-f]{64}$/i.test(sha256Hash))
    return sha256Hash.toLowerCase()
  const path = ['extensions', 'persistedQuery']
  const message = 'Needs `version` 1 and a `sha256Hash` of 64 hexadecimal digits'
  throw new AppError('INVALID_REQUEST', `${path.join('.')}: ${message}`, {
    issues: [{ path, message }],
  })
}

function idIn(documentId: unknown): string | undefined {
  if (typeof documentId !== 'string' || documentId === '') return undefined
  return documentId.replace(/^sha256:/, '')
}

/**
 * Replaces the id of a document by its text, for both executors. The executor checks the other fields.
 * @throws as `textOf`
 */
export function withDocument<Sent extends SentDocument>(
  documents: PersistedDocuments,
  sent: Sent,
): Sent {
  const isPlain = sent.documentId === undefined && sent.extensions === undefined
  if (isPlain && documents.acceptsAny) return sent
  const { documentId: _, extensions, ...others } = sent
  const query = documents.textOf(sent)
  const rest = isRecord(extensions) ? withoutHash(extensions) : extensions
  return {
    ...others,
    ...(query !== undefined && { query }),
    ...(rest != null && { extensions: rest }),
  } as Sent
}

function withoutHash(extensions: Readonly<Record<string, unknown>>) {
  const { persistedQuery: _, ...others } = extensions
  return Object.keys(others).length === 0 ? undefined : others
}

/** Lets Yoga execute persisted documents. */
export const usePersistedDocuments = (documents: PersistedDocuments): Plugin => ({
  onParams({ params, setParams }) {
    try {
      setParams(withDocument(documents, params))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new GraphQLError(error.message, { originalError: error })
    }
  },
})
