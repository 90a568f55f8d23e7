import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../errors.ts'
import { sameSecret } from '../ids.ts'

/** Shows that a request comes from the HTTPS port of a data plane of this installation, and from nobody else. */
export const doorHeader = 'x-plinth-door'

/** What only who knows the internal token can make, and from which nobody learns it. */
export const doorProof = (internalToken: string): string =>
  createHmac('sha256', internalToken).update('requests of the front door').digest('hex')

/**
 * Takes the address of the caller from a data plane that passes on what comes to its HTTPS port. By the proof, and not by where the
 * connection comes from: whatever else runs on that machine, servers of projects too, could connect from there and name any address.
 * What only our own programs call is not there for anybody who comes this way, however the address is spelled.
 */
export function trustDoor(app: FastifyInstance, internalToken: string): void {
  const proof = doorProof(internalToken)
  app.addHook('onRequest', async (request) => {
    const { [doorHeader]: shown, 'x-forwarded-for': address } = request.headers
    if (typeof shown !== 'string' || !sameSecret(shown, proof)) return
    // Fastify reads both from the connection and the trusted proxies.
    Object.defineProperty(request, 'protocol', { value: 'https' })
    if (typeof address === 'string') Object.defineProperty(request, 'ip', { value: address })
    if (request.routeOptions.url?.startsWith('/internal')) throw new ApiError('not_found')
  })
}
