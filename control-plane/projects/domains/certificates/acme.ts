import type { Authorization, Client, Order } from 'acme-client'
import { AcmeToken } from '#contract/internal-api'
import { AcmeError, acmeTransport, quoted } from './acme-transport.ts'

export type AcmeSettings = {
  /** The address of the authority's directory (RFC 8555). */
  directory: string
  /** Where the authority writes to about certificates of this installation. */
  email?: string | undefined
  /** Certificates (PEM) that its server is trusted by, in place of the usual ones. */
  ca?: string | undefined
  /** For tests: milliseconds between the first two looks at an order. */
  pollMs?: number | undefined
}
type Ordered = {
  hostname: string
  /** Has what the authority will ask for answered from now on. */
  answerWith: (token: string, answer: string) => Promise<void>
}

/** Looks double their distance up to this: the last one comes some two minutes after the first. */
const longestPollMs = 10_000
const looks = 16

async function library() {
  // The signatures of requests for certificates need it; programs that order none load neither.
  await import('reflect-metadata')
  return import('acme-client')
}

/** Orders certificates of one authority, as one account. */
export function createAcme({ directory, email, ca, pollMs = 1000 }: AcmeSettings) {
  const ending = new AbortController()
  let account: { key: string; client: Promise<Client> } | undefined
  let transport: ReturnType<typeof acmeTransport> | undefined

  async function register(key: string): Promise<Client> {
    const acme = await library()
    transport ??= acmeTransport({ ca, signal: ending.signal })
    // The library has one HTTP client for all, and a program has one authority.
    acme.axios.defaults.adapter = transport.adapter as typeof acme.axios.defaults.adapter & object
    const client = new acme.Client({
      directoryUrl: directory,
      accountKey: key,
      backoffAttempts: looks,
      backoffMin: pollMs,
      backoffMax: longestPollMs,
    })
    // An account that is there already is found by its key.
    await client.createAccount({
      termsOfServiceAgreed: true,
      contact: email === undefined ? [] : [`mailto:${email}`],
    })
    return client
  }
  function clientOf(key: string): Promise<Client> {
    if (account?.key === key) return account.client
    const client = register(key)
    account = { key, client }
    return client
  }

  async function prove(client: Client, order: Order, authorization: Authorization, to: Ordered) {
    if (authorization.status === 'valid') return
    const challenge = authorization.challenges.find(({ type }) => type === 'http-01')
    if (!challenge) throw new AcmeError('The certificate authority offers no HTTP-01 challenge')
    if (!AcmeToken.safeParse(challenge.token).success)
      throw new AcmeError('The certificate authority has sent a token that is none')
    await to.answerWith(challenge.token, await client.getChallengeKeyAuthorization(challenge))
    await client.completeChallenge(challenge)
    try {
      await client.waitForValidStatus(authorization)
    } catch (error) {
      if (error instanceof AcmeError) throw error
      throw new AcmeError(await failureOf(client, order), 0, error)
    }
  }

  async function run(key: string, to: Ordered): Promise<{ key: string; certificate: string }> {
    const { crypto } = await library()
    const client = await clientOf(key)
    const identifiers = [{ type: 'dns' as const, value: to.hostname }]
    const order = await client.createOrder({ identifiers })
    for (const authorization of await client.getAuthorizations(order))
      await prove(client, order, authorization, to)
    const [ownKey, request] = await crypto.createCsr(
      { altNames: [to.hostname] },
      await crypto.createPrivateEcdsaKey('P-256'),
    )
    await client.waitForValidStatus(order)
    const finalized = await client.finalizeOrder(order, request)
    return { key: ownKey.toString(), certificate: await client.getCertificate(finalized) }
  }

  return {
    directory,
    isEnding: () => ending.signal.aborted,

    async newAccountKey(): Promise<string> {
      const { crypto } = await library()
      return (await crypto.createPrivateEcdsaKey('P-256')).toString()
    },

    /** A new key and its certificate, as PEM. @throws AcmeError with words for the owner of the name */
    async obtain(accountKey: string, to: Ordered) {
      const over = new AbortController()
      const ended = new Promise<never>((_, reject) => {
        const stop = () => reject(new AcmeError('The platform is being restarted'))
        if (ending.signal.aborted) stop()
        else ending.signal.addEventListener('abort', stop, { signal: over.signal })
      })
      try {
        return await Promise.race([run(accountKey, to), ended])
      } catch (error) {
        // What the account has become is found out anew.
        account = undefined
        if (error instanceof AcmeError) throw error
        const text = error instanceof Error ? quoted(error.message) : ''
        throw new AcmeError(
          `The certificate authority refused: ${text || 'no reason given'}`,
          0,
          error,
        )
      } finally {
        over.abort()
      }
    },

    async close(): Promise<void> {
      ending.abort()
      await transport?.close()
    },
  }
}
export type Acme = ReturnType<typeof createAcme>

/** What the authority says of a challenge that failed. */
async function failureOf(client: Client, order: Order): Promise<string> {
  const all = await client.getAuthorizations(order)
  for (const { challenges } of all) {
    for (const { error } of challenges) {
      if (error && 'detail' in error && typeof error.detail === 'string')
        return `The certificate authority refused: ${quoted(error.detail)}`
    }
  }
  return all.some(({ status }) => status === 'pending')
    ? 'The certificate authority did not look at the hostname in time'
    : 'The certificate authority could not validate the hostname'
}
