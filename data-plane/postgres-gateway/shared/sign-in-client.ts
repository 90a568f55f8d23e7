import { createHmac, randomBytes } from 'node:crypto'
import {
  clientKeyOf,
  serverSignatureOf,
  type ScramKeys,
  type Verifier,
} from '#kit/postgres/scram-keys'
import type { Refusal } from '../refusals.ts'
import { DialogError, type Dialog } from './dialog.ts'
import { authentication } from './messages.ts'

const mechanism = 'SCRAM-SHA-256'
const bindingMechanism = `${mechanism}-PLUS`
const longestAnswer = 4096
const [sasl, saslContinue, saslFinal] = [10, 11, 12]
/** No binding to a channel: the client cannot do it, or thinks that we cannot. */
const headers = ['n,,', 'y,,']
const bindingHeader = 'p=tls-server-end-point,,'

export const wrongPassword = (user: string): Refusal => ({
  code: '28P01',
  message: `password authentication failed for user "${user}"`,
})
const malformed = (what: string): Refusal => ({
  code: '08P01',
  message: `malformed SCRAM message: ${what}`,
})

const wrongChannel = (message: string): Refusal => ({ code: '28000', message })

/** How a client is talked to. `endPoint`: to what its login can be tied, where the connection is encrypted. */
export type Channel = {
  dialog: Dialog
  write: (bytes: Buffer) => void
  endPoint: Buffer | undefined
}

/** Of this process alone, so that nobody can tell made-up salts from those that are kept. */
const mockKey = randomBytes(32)

/** What is asked of whoever names somebody that does not exist: no password answers it, and the salt is the same each time. */
export function mockVerifier(name: string): Verifier {
  const part = (what: string) => createHmac('sha256', mockKey).update(`${what}:${name}`).digest()
  return {
    iterations: 4096,
    salt: part('salt').subarray(0, 16),
    storedKey: part('stored'),
    serverKey: part('server'),
  }
}

/**
 * Has a client show that it knows the password, of which only the verifier is known here. Answers with the keys by which the
 * server lets this client in. Over an encrypted connection a client may tie its proof to the certificate that it was shown.
 * @throws DialogError when it does not answer
 */
export async function signInClient(
  { dialog, write, endPoint }: Channel,
  user: string,
  verifier: Verifier,
): Promise<{ keys: ScramKeys } | { refusal: Refusal }> {
  const offered = endPoint ? [bindingMechanism, mechanism] : [mechanism]
  write(authentication(sasl, `${offered.join('\0')}\0\0`))
  const first = readInitial((await answer(dialog)).toString('utf8'), offered)
  if ('refusal' in first) return first
  const nonce = first.nonce + randomBytes(18).toString('base64')
  const salt = verifier.salt.toString('base64')
  const serverFirst = `r=${nonce},s=${salt},i=${verifier.iterations}`
  write(authentication(saslContinue, serverFirst))

  const final = (await answer(dialog)).toString('utf8')
  const found = /^(c=([A-Za-z0-9+/=]+),r=([^,]+)(?:,[^,]*)*),p=([A-Za-z0-9+/=]+)$/.exec(final)
  const [, withoutProof = '', binding = '', echoed = '', proof = ''] = found ?? []
  if (!found) return { refusal: malformed('a proof is expected') }
  const bound = first.isBound && endPoint ? endPoint : Buffer.alloc(0)
  if (binding !== Buffer.concat([Buffer.from(first.header), bound]).toString('base64'))
    return {
      refusal: first.isBound
        ? wrongChannel('SCRAM channel binding check failed')
        : malformed('the channel binding is another one than before'),
    }
  if (echoed !== nonce) return { refusal: malformed('the nonce is another one') }
  const authMessage = `${first.bare},${serverFirst},${withoutProof}`
  const clientKey = clientKeyOf(verifier, Buffer.from(proof, 'base64'), authMessage)
  if (!clientKey) return { refusal: wrongPassword(user) }
  const signature = serverSignatureOf(verifier, authMessage).toString('base64')
  write(authentication(saslFinal, `v=${signature}`))
  return { keys: { ...verifier, clientKey } }
}

async function answer(dialog: Dialog): Promise<Buffer> {
  const { kind, body } = await dialog.next(longestAnswer)
  if (kind !== 'p') throw new DialogError('An answer to the question for a password is expected')
  return body
}

/** The name of the mechanism, a length, and what the mechanism begins with. */
function readInitial(
  text: string,
  offered: readonly string[],
): { header: string; isBound: boolean; bare: string; nonce: string } | { refusal: Refusal } {
  const at = text.indexOf('\0')
  const chosen = text.slice(0, at)
  if (!offered.includes(chosen))
    return { refusal: malformed('client selected an invalid SASL authentication mechanism') }
  const isBound = chosen === bindingMechanism
  const data = text.slice(at + 5)
  const header = (isBound ? [bindingHeader] : headers).find((one) => data.startsWith(one))
  if (header === undefined)
    return {
      refusal: malformed('this channel binding, or another identity, is not supported'),
    }
  // Somebody between may have kept the offer from it.
  if (header === 'y,,' && offered.includes(bindingMechanism))
    return { refusal: wrongChannel('the client was not told that this port can bind channels') }
  const bare = data.slice(header.length)
  // The name in it does not count: the one of the startup packet does.
  const nonce = /^n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,|$)/.exec(bare)?.[1]
  return nonce === undefined
    ? { refusal: malformed('a nonce is expected') }
    : { header, isBound, bare, nonce }
}
