import { createHash, createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import { addIdentity, identityAt, refreshIdentity } from '../users/identity-store.ts'
import { withProvider } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { redirectTarget } from '../sign-in/redirects.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { newUserValues } from '../sign-in/signup.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { userById } from '../users/users-store.ts'
import { parseWeb3Message, type Chain, type Web3Message } from './web3-message.ts'
import { markUsed } from './web3-store.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** How old a message may be; clocks of wallets may run ahead a little. */
const messageLifeMs = 10 * 60 * 1000
const aheadMs = 60 * 1000

export type Web3Input = { chain: string; message: string; signature: string }

/** Sign-in by a wallet: the person signs a text that names the site, and nobody else can. */
export function createWeb3({ now, limits }: AuthDeps, sessions: Sessions) {
  /** Asked before anything is read. @throws AuthError `web3_provider_disabled` */
  function mustBeOn({ tenant: { config } }: Caller): void {
    if (!config.web3.ethereum && !config.web3.solana) throw new AuthError('web3_provider_disabled')
  }

  async function signIn(caller: Caller, input: Web3Input): Promise<SessionJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'web3')
    const chain = chainOf(input.chain)
    const name = chainNames[chain]
    if (!tenant.config.web3[chain])
      throw new AuthError('web3_provider_disabled', `${name} Web3 provider is disabled`)
    checkShape(chain, input)
    const message = parseWeb3Message(chain, input.message)
    const address = signerOf(chain, message, input)
    const at = now()
    checkSite(caller, message, name)
    checkTimes(message, at, name)
    const subject = `web3:${chain}:${address}`
    return inTransaction(tenant.pool, async (tx) => {
      // Whoever sees a message on its way can show it again; nobody gets in by it twice.
      const hash = createHash('sha256').update(`${subject}\0${input.message}`).digest('hex')
      if (!(await markUsed(tx, hash, at, new Date(at.getTime() - 2 * messageLifeMs)))) {
        throw new AuthError('invalid_credentials', 'This message was already used. Sign a new one')
      }
      const user = await accountOf(tx, caller, subject, identityData(chain, address, message), at)
      return sessions.begin(tx, caller, user, 'web3', 'web3')
    })
  }

  return { mustBeOn, signIn }
}
export type Web3 = ReturnType<typeof createWeb3>

const chainNames = { ethereum: 'Ethereum', solana: 'Solana' } as const

function chainOf(name: string): Chain {
  if (name === 'ethereum' || name === 'solana') return name
  throw new AuthError('web3_unsupported_chain')
}

/** What no wallet makes is refused before anything of it is read. */
function checkShape(chain: Chain, { message, signature }: Web3Input): void {
  if (message.length < 64) throw invalid('message is too short')
  const isSolana = chain === 'solana'
  const fits = isSolana
    ? signature.length === 86 || signature.length === 88
    : signature.replace(/^0x/, '').length === 130
  if (fits) return
  throw invalid(
    isSolana
      ? 'signature must be 64 bytes encoded as base64 with or without padding'
      : 'signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string',
  )
}

function checkTimes(message: Web3Message, at: Date, name: string): void {
  const { issuedAt, expirationTime, notBefore, version } = message
  if (version !== '1') throw invalid('message has a version that is not known')
  if (notBefore !== undefined && instant(notBefore) > at.getTime())
    throw invalid(`Signed ${name} message becomes valid in the future`)
  if (expirationTime !== undefined && instant(expirationTime) <= at.getTime())
    throw invalid(`Signed ${name} message is expired`)
  const issued = instant(issuedAt)
  if (issued < at.getTime() - messageLifeMs)
    throw invalid(`${name} message was issued too long ago`)
  if (issued > at.getTime() + aheadMs)
    throw invalid(`${name} message was issued too far in the future`)
}

function instant(text: string): number {
  const form = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
  const time = form.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw invalid('message has a time that cannot be read')
  return time
}

/** The page that the person saw is one of the tenant's: wallets show whose page asks, and this is the same name. */
function checkSite(
  { tenant: { config } }: Caller,
  { uri, domain }: Web3Message,
  name: string,
): void {
  const page = URL.canParse(uri) ? new URL(uri) : undefined
  const isWeb = page?.protocol === 'https:' || page?.protocol === 'http:'
  if (!page || !isWeb || page.host !== domain)
    throw invalid(
      `Signed ${name} message is using a Domain that does not match the one in URI which is not allowed on this server`,
    )
  page.hash = ''
  if (redirectTarget(config, page.href) === page.href) return
  throw invalid(
    `Signed ${name} message is using URI which is not allowed on this server, message was signed for another app`,
  )
}

function signerOf(chain: Chain, { address, chainId }: Web3Message, input: Web3Input): string {
  const wrong = () =>
    new AuthError('invalid_credentials', 'Signature does not match address in message')
  if (chain === 'solana') {
    if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address)) throw invalid('message has no address')
    if (
      chainId !== undefined &&
      !/^(solana:)?(main|mainnet|testnet|devnet|localnet)$/.test(chainId)
    ) {
      throw invalid('message has a chain that is not known')
    }
    if (!isSignedBySolana(address, input.message, input.signature)) throw wrong()
    return base58.encode(base58.decode(address))
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw invalid('message has no address')
  if (!/^[1-9]\d{0,14}$/.test(chainId ?? '')) throw invalid('message has a chain that is not known')
  if (ethereumSigner(input.message, input.signature) !== address.toLowerCase()) throw wrong()
  return address.toLowerCase()
}

function identityData(chain: Chain, address: string, message: Web3Message) {
  const { domain, statement, chainId } = message
  const network = chainId && { network: chainId }
  const custom_claims = { address, chain, domain, ...(statement && { statement }), ...network }
  return {
    sub: `web3:${chain}:${address}`,
    custom_claims,
    email_verified: false,
    phone_verified: false,
  }
}

/** The account of a wallet, new at the first time. It has no address to write to. */
async function accountOf(
  tx: Db,
  caller: Caller,
  subject: string,
  data: ReturnType<typeof identityData>,
  at: Date,
): Promise<UserRow> {
  const { tenant, ip } = caller
  const traits = { provider: 'web3' }
  const known = await identityAt(tx, 'web3', subject)
  if (known) {
    const user = await userById(tx, known.user_id, { lock: true })
    if (!user || user.deleted_at) throw new AuthError('user_not_found')
    if (isBanned(user, at)) throw new AuthError('user_banned')
    await refreshIdentity(tx, known.id, data, at)
    await audit(tx, { action: 'login', actor: user, ip, traits }, at)
    return user
  }
  if (tenant.config.disableSignup) throw new AuthError('signup_disabled')
  const values = {
    ...newUserValues(''),
    email: null,
    raw_app_meta_data: withProvider({}, 'web3'),
    raw_user_meta_data: data,
  }
  const user = await createUser(tx, caller, values, at)
  const identity = { userId: user?.id ?? '', provider: 'web3', subject, data }
  if (!user || !(await addIdentity(tx, identity, at))) throw new AuthError('conflict')
  await audit(tx, { action: 'user_signedup', actor: user, ip, traits }, at)
  return user
}

/** A raw key of Ed25519 as SPKI: everything but the 32 bytes at its end is always the same. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether the owner of a Solana address signed a text. `signature` is 64 bytes in base64 or base64url. */
function isSignedBySolana(address: string, message: string, signature: string): boolean {
  const key = bytesOf(() => base58.decode(address))
  const signed = Buffer.from(signature, 'base64')
  if (key?.length !== 32 || signed.length !== 64 || !/^[\w+/=-]+$/.test(signature)) return false
  const spki = Buffer.concat([ed25519Prefix, key])
  const owner = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(message), owner, signed)
}

/** The address, in small letters, whose owner signed a text (EIP-191); undefined when nobody can have signed it so. */
function ethereumSigner(message: string, signature: string): string | undefined {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (recovery !== 0 && recovery !== 1) return undefined
  const text = Buffer.from(message)
  const digest = keccak_256(
    Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]),
  )
  const key = bytesOf(() => {
    const recovered = Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)])
    const point = secp256k1.recoverPublicKey(new Uint8Array(recovered), digest, { prehash: false })
    return secp256k1.Point.fromBytes(point).toBytes(false)
  })
  // The address is the end of the hash of the point without its first byte, which only says how it is written.
  return key && `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`
}

/** What the function reads; undefined when it cannot: then it was no address or no signature. */
function bytesOf(read: () => Uint8Array): Uint8Array | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
