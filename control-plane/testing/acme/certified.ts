import { once } from 'node:events'
import { request, type RequestOptions } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { expect } from 'vitest'
import { freePort } from '#kit/testing/free-port'
import { startNameServer } from '#kit/testing/name-server'
import type { ControlPlaneOptions } from '../../options.ts'
import { internalToken } from '../control-plane.ts'
import { startDomains, target } from '../domains.ts'
import { startAcmeServer } from './acme-server.ts'

/** Both planes with HTTPS of their own, and the authority that gives them certificates. `dashboard`: the name of it that is served, too. */
export async function startCertified(more: Partial<ControlPlaneOptions> = {}, dashboard?: string) {
  const dns = await startNameServer()
  const [httpsPort, challengePort] = [await freePort(), await freePort()]
  const clock = { ahead: 0 }
  const now = () => new Date(Date.now() + clock.ahead)
  const acme = await startAcmeServer({
    dnsServer: dns.address,
    target,
    port: () => challengePort,
    now,
  })
  const d = await startDomains(
    {
      ...more,
      now,
      domains: {
        ...more.domains,
        acme: { directory: acme.directory, ca: acme.ca, email: 'ops@example.com', pollMs: 20 },
      },
    },
    (directory, controlPlaneUrl) => ({
      https: {
        host: '127.0.0.1',
        port: httpsPort,
        challengePort,
        source: directory,
        dashboard:
          dashboard === undefined
            ? undefined
            : { hostname: dashboard, controlPlaneUrl, internalToken },
      },
    }),
    dns,
  )
  await d.enable()

  /** A connection to the HTTPS port that names this host; what is shown is checked against the authority. */
  async function shake(servername: string): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: httpsPort, servername, ca: acme.ca })
    await once(socket, 'secureConnect')
    return socket
  }
  const https = (servername: string, path: string, options: RequestOptions = {}, sent?: string) =>
    new Promise<{ status: number; body: string }>((resolve, reject) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: httpsPort,
          servername,
          ca: acme.ca,
          path,
          agent: false,
          ...options,
          headers: { host: servername, ...(options.headers as Record<string, string>) },
        },
        (response) => {
          let body = ''
          response.setEncoding('utf8').on('data', (part: string) => (body += part))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        },
      )
      asking.on('error', reject)
      asking.end(sent)
    })

  return {
    ...d,
    acme,
    clock,
    httpsPort,
    challengePort,
    shake,
    https,
    round: () => d.world.control.certificatesRound(),
    certificate: async (ref = d.world.ref) => (await d.get(ref)).custom?.certificate ?? null,
    retry: (ref = d.world.ref) =>
      d.world.ada.call('POST', `/platform/projects/${ref}/custom-hostname/certificate`),
    /** The project's name is another one from now on, whose DNS says so. */
    async take(hostname: string, ref = d.world.ref): Promise<void> {
      await d.remove(ref)
      expect((await d.initialize(hostname, ref)).status).toBe(201)
      d.point(hostname, [await d.tokenOf(ref)])
      expect((await d.activate(ref)).status).toBe(201)
    },
    /** Until the data plane shows a certificate for the name, or none any more. */
    shows: (hostname: string, wanted: boolean) =>
      expect
        .poll(
          () =>
            shake(hostname).then(
              (socket) => Boolean(socket.destroy()),
              () => false,
            ),
          { timeout: 30_000 },
        )
        .toBe(wanted),
    async end(): Promise<void> {
      await d.end()
      await acme.close()
    },
  }
}
export type Certified = Awaited<ReturnType<typeof startCertified>>
