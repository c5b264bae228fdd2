/** @import { Chain, SvmTransaction } from '#src/page/api/answers.ts' */
import { callNode } from '#src/page/accounts/node.js'
import { unsignedTransaction } from '#src/page/accounts/svm/transaction.js'
import { readBlockhash } from '#src/page/api/requests.js'

/**
 * The bytes of a transaction of a quote, with a recent block hash and without signatures.
 * @param {SvmTransaction} transaction
 */
export const prepareTransaction = async (transaction) =>
  unsignedTransaction(transaction, await readBlockhash(transaction.chainId))

/** @param {Uint8Array} bytes at most those of a transaction. */
export const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))

/**
 * Sends a signed transaction by the node on this machine. Returns its signature.
 * @param {Chain} chain
 * @param {string} signed in base64.
 * @returns {Promise<string>}
 */
export const sendSigned = (chain, signed) =>
  callNode(chain, 'sendTransaction', [
    signed,
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ])
