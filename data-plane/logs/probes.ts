import type { FastifyInstance, FastifyRequest } from 'fastify'
import { probeHeader, probeToken } from '#kit/http/probes'
import { sameSecret } from '#kit/ids'

/**
 * Tells requests by which the platform looks whether a service answers from those of people: they are in no log, which would
 * be full of them. What they are told by is taken off before a service, and so a project's database, could see it.
 */
export function tellProbes(app: FastifyInstance, internalToken: string) {
  const probes = new WeakSet<FastifyRequest>()
  const token = probeToken(internalToken)
  app.addHook('onRequest', (request, _, done) => {
    const { [probeHeader]: shown } = request.headers
    if (shown !== undefined) {
      if (typeof shown === 'string' && sameSecret(shown, token)) probes.add(request)
      delete request.headers[probeHeader]
    }
    done()
  })
  return (request: FastifyRequest): boolean => probes.has(request)
}
