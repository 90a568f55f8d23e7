import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { WantedHostname } from '#contract/internal-api'
import type { Log } from '#kit/log'
import { isBare } from '../bare-pg-meta.ts'
import { createCertificates } from './certificates.ts'
import { challengePath, createChallenges } from './challenges.ts'
import { createDashboardDoor } from './dashboard-door.ts'
import { createHttpPort } from './http-port.ts'
import { createHttpsServer } from './https-server.ts'
import type { HttpsOptions } from './source.ts'

/** HTTPS of the data plane itself, beside the port that a proxy asks. */
export function createHttps({ source, own, ...options }: HttpsOptions, log: Log) {
  const certificates = createCertificates({ source, own, log })
  const challenges = createChallenges(source, log)

  function listen(server: Server, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: options.host, port }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  return {
    follow: (hostnames: readonly WantedHostname[]) => certificates.follow(hostnames),

    /** Leaves the questions of authorities as they are: they are answered at every name alike. */
    rewriting:
      (rewrite: (request: IncomingMessage) => string) =>
      (request: IncomingMessage): string =>
        request.url?.startsWith(challengePath) ? request.url : rewrite(request),

    mount(app: FastifyInstance): void {
      const { port, publicPort = port, challengePort, dashboard, handshakeMs } = options
      const door = dashboard && createDashboardDoor(dashboard, log)
      const { server, isOurs } = createHttpsServer(app, { ...certificates, door, handshakeMs })
      const http = createHttpPort({ challenges, certificates, port: publicPort })
      // What our own programs call is none of the internet's business, where no proxy keeps it away.
      app.addHook('onRequest', async (request, reply) => {
        const isInternal = request.routeOptions.url?.startsWith('/internal') && !isBare(request)
        if (isInternal && isOurs(request.raw.socket))
          return reply.status(404).send({ code: 'not_found', message: 'Not found' })
      })
      app.get(`${challengePath}:token`, async ({ raw }, reply) => {
        const { status, text } = (await challenges.answer(raw)) ?? { status: 404, text: '' }
        return reply.status(status).type('text/plain').send(text)
      })
      app.addHook('onReady', async () => {
        await listen(server, port)
        if (challengePort !== undefined) await listen(http, challengePort)
      })
      app.addHook('preClose', async () => {
        certificates.close()
        for (const each of [server, http]) each.close()
        const timer = setInterval(() => server.closeIdleConnections(), 50)
        server.once('close', () => clearInterval(timer))
        server.closeIdleConnections()
        http.closeAllConnections()
      })
      app.addHook('onClose', async () => server.closeAllConnections())
    },
  }
}
export type Https = ReturnType<typeof createHttps>
