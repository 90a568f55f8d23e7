import { randomBytes, type JsonWebKey } from 'node:crypto'
import 'reflect-metadata'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { createTestAuthority } from '#kit/testing/authority'
import { Problem, readSigned, thumbprintOf, type Signed } from './jws.ts'
import { whyNotProved } from './validation.ts'

type Status = 'pending' | 'processing' | 'ready' | 'valid' | 'invalid'
type Order = {
  id: string
  account: string
  hostname: string
  token: string
  status: Status
  error: string | undefined
  certificate: string | undefined
}
type Options = {
  dnsServer: string
  target: string
  /** Where http://NAME leads on this machine. */
  port: () => number
  now?: () => Date
}
type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }

const newId = () => randomBytes(12).toString('base64url')
const dayMs = 86_400_000

/**
 * A certificate authority that speaks ACME (RFC 8555) over HTTPS on 127.0.0.1. It looks at names for real, and does what `faults` says.
 */
export async function startAcmeServer({ now = () => new Date(), ...where }: Options) {
  const authority = await createTestAuthority('Test ACME')
  const identity = await authority.issue(['127.0.0.1'])
  const accounts = new Map<string, JsonWebKey>()
  const orders = new Map<string, Order>()
  const nonces = new Set<string>()
  const faults = {
    /** So many requests more are refused for their nonce. */
    badNonces: 0,
    /** New orders are refused, with this many seconds to wait. */
    rateLimit: undefined as number | undefined,
    /** Names are not proved whatever they answer, and this is said of it. */
    refusal: undefined as string | undefined,
    /** The certificate is for another name than was ordered. */
    wrongName: undefined as string | undefined,
    /** Waited for before the authority looks at a name. */
    beforeLook: undefined as (() => Promise<void>) | undefined,
    /** Waited for before a certificate is signed. */
    beforeSign: undefined as (() => Promise<void>) | undefined,
  }
  const seen = { orders: 0, csrs: 0, contacts: [] as string[] }
  const url = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const newNonce = () => {
    const nonce = newId()
    nonces.add(nonce)
    return nonce
  }

  const shownOrder = (order: Order) => ({
    status: order.status,
    identifiers: [{ type: 'dns', value: order.hostname }],
    authorizations: [`${url()}/authz/${order.id}`],
    finalize: `${url()}/finalize/${order.id}`,
    ...(order.certificate !== undefined && { certificate: `${url()}/certificate/${order.id}` }),
  })
  const shownChallenge = ({ id, token, status, error }: Order) => ({
    type: 'http-01',
    url: `${url()}/challenge/${id}`,
    token,
    status: status === 'ready' ? 'valid' : status,
    ...(error !== undefined && {
      error: { type: 'urn:ietf:params:acme:error:unauthorized', detail: error },
    }),
  })

  async function look(order: Order, jwk: JsonWebKey): Promise<void> {
    await faults.beforeLook?.()
    const expected = `${order.token}.${thumbprintOf(jwk)}`
    const why = faults.refusal ?? (await whyNotProved(order.hostname, order.token, expected, where))
    order.error = why
    order.status = why === undefined ? 'ready' : 'invalid'
  }

  async function finalize(order: Order, { payload }: Signed): Promise<Answer> {
    if (order.status !== 'ready') throw new Problem('orderNotReady', 'The order is not ready', 403)
    const csr = new Pkcs10CertificateRequest(Buffer.from(String(payload?.['csr']), 'base64url'))
    const names = csr.getExtension('2.5.29.17')
    const isFor = names && Buffer.from(names.value).includes(order.hostname)
    if (!isFor || !(await csr.verify())) throw new Problem('badCSR', 'The request does not fit')
    seen.csrs += 1
    await faults.beforeSign?.()
    // Clients of a test check it by the clock of the machine, whatever the platform takes for now.
    const validity = { notAfter: new Date(now().getTime() + 90 * dayMs) }
    const hostnames = [faults.wrongName ?? order.hostname]
    order.certificate = await authority.sign(csr.publicKey, hostnames, validity)
    order.status = 'valid'
    return { body: shownOrder(order) }
  }

  function newAccount({ jwk, payload }: Signed): Answer {
    if (payload?.['termsOfServiceAgreed'] !== true)
      throw new Problem('userActionRequired', 'Agree to the terms', 403)
    const kid = `${url()}/account/${thumbprintOf(jwk)}`
    const isNew = !accounts.has(kid)
    accounts.set(kid, jwk)
    seen.contacts.push(...((payload['contact'] ?? []) as string[]))
    return { status: isNew ? 201 : 200, body: { status: 'valid' }, headers: { location: kid } }
  }

  function newOrder({ header, payload }: Signed): Answer {
    seen.orders += 1
    if (faults.rateLimit !== undefined)
      throw new Problem('rateLimited', 'too many certificates', 429, {
        'retry-after': String(faults.rateLimit),
      })
    const [identifier] = (payload?.['identifiers'] ?? []) as { value: string }[]
    const hostname = identifier?.value ?? ''
    const id = newId()
    const order: Order = {
      id,
      account: header.kid ?? '',
      hostname,
      token: randomBytes(24).toString('base64url'),
      status: 'pending',
      error: undefined,
      certificate: undefined,
    }
    orders.set(id, order)
    return { status: 201, body: shownOrder(order), headers: { location: `${url()}/order/${id}` } }
  }

  async function answer(path: string, signed: Signed): Promise<Answer> {
    const [, what = '', id = ''] = path.split('/')
    if (what === 'new-account') return newAccount(signed)
    if (what === 'account') return { body: { status: 'valid' } }
    if (what === 'new-order') return newOrder(signed)
    const order = orders.get(id)
    if (!order || order.account !== signed.header.kid)
      throw new Problem('unauthorized', 'This order is not yours', 403)
    switch (what) {
      case 'authz':
        return {
          body: {
            identifier: { type: 'dns', value: order.hostname },
            status: order.status === 'ready' ? 'valid' : order.status,
            challenges: [shownChallenge(order)],
          },
        }
      case 'challenge':
        // The answer does not wait for the look, as elsewhere.
        if (signed.payload && order.status === 'pending') void look(order, signed.jwk)
        return { body: shownChallenge(order) }
      case 'finalize':
        return finalize(order, signed)
      case 'certificate':
        return { body: order.certificate }
      default:
        return { body: shownOrder(order) }
    }
  }

  function checkNonce({ header }: Signed, path: string): void {
    const isKnown = nonces.delete(header.nonce ?? '')
    if (faults.badNonces > 0) faults.badNonces -= 1
    else if (isKnown) {
      if (header.url !== url() + path) throw new Problem('unauthorized', 'Another address', 403)
      return
    }
    throw new Problem('badNonce', 'The nonce is not known')
  }

  async function handle(method: string, path: string, body: string): Promise<Answer> {
    if (path === '/directory')
      return {
        body: {
          newNonce: `${url()}/new-nonce`,
          newAccount: `${url()}/new-account`,
          newOrder: `${url()}/new-order`,
        },
      }
    if (path === '/new-nonce') return { status: method === 'HEAD' ? 200 : 204 }
    try {
      const signed = readSigned(body, (kid) => accounts.get(kid))
      checkNonce(signed, path)
      return await answer(path, signed)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { type, message: detail, status, headers } = error
      return { status, body: { type, detail, status }, headers }
    }
  }

  const server = createServer(
    { key: identity.key, cert: identity.certificate },
    (request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => (text += part))
      request.on('end', () => {
        handle(request.method ?? '', request.url ?? '', text).then(
          ({ status = 200, body, headers = {} }) => {
            const isText = typeof body === 'string'
            response.writeHead(status, {
              'replay-nonce': newNonce(),
              'content-type': isText ? 'application/pem-certificate-chain' : 'application/json',
              ...headers,
            })
            response.end(isText ? body : JSON.stringify(body ?? {}))
          },
          () => response.destroy(),
        )
      })
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    directory: `${url()}/directory`,
    /** What signs its certificates, and its own. */
    ca: authority.certificate,
    faults,
    seen,
    accounts,
    /** The token of the last order. */
    lastToken: () => [...orders.values()].at(-1)?.token ?? '',
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
export type AcmeServer = Awaited<ReturnType<typeof startAcmeServer>>
