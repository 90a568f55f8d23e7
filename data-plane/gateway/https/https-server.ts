import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { limitSlowBodies } from '#kit/http/slow-bodies'
import { timeLimitsOf } from '../../http-server.ts'
import { paceOfBodies } from '../body-pace.ts'
import { hostOf } from '../hosts.ts'
import type { Certificates } from './certificates.ts'
import { challengePath } from './challenges.ts'
import type { DashboardDoor } from './dashboard-door.ts'

type Options = Pick<Certificates, 'contextOf'> & {
  door?: DashboardDoor | undefined
  handshakeMs?: number | undefined
}

/** A handshake takes some hundred bytes; who is slower than this holds a place. */
const usualHandshakeMs = 10_000
const misdirected = JSON.stringify({
  code: 'misdirected_request',
  message: 'The Host header names another host than the connection was made to',
})

/** The name that a connection was made to, as names are kept. */
const nameOf = (socket: Socket | Duplex): string => {
  // Set by Node once a server knows it; its types name the property for clients alone.
  const { servername } = socket as TLSSocket & { servername?: string | false }
  return hostOf(servername || undefined)
}

/**
 * The same services as those that `app` has over HTTP, and the dashboard at its own name. A client that asks for a name without a certificate is cut off, and one that
 * names none: nobody is shown what is somebody else's.
 */
export function createHttpsServer(
  app: FastifyInstance,
  { contextOf, door, handshakeMs = usualHandshakeMs }: Options,
) {
  /** By connection, so that nothing in a request can say otherwise. */
  const ours = new WeakSet<Socket | Duplex>()
  const isDashboard = ({ socket }: IncomingMessage) => door?.hostname === nameOf(socket)
  const isFor = ({ headers, url = '', socket }: IncomingMessage) => {
    // A whole address names a host too, which counts more than the header (RFC 9112, section 3.2.2).
    const [, authority = headers.host] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
    return [headers.host, authority].every((host) => hostOf(host) === nameOf(socket))
  }

  const server = createServer(
    {
      minVersion: 'TLSv1.2',
      handshakeTimeout: handshakeMs,
      ALPNProtocols: ['http/1.1'],
      ...timeLimitsOf(app),
      SNICallback(name, done) {
        const context = contextOf(hostOf(name))
        if (context) done(null, context)
        else done(new Error('There is no certificate for this name'))
      },
    },
    (request, response) => {
      if (!server.listening) response.setHeader('connection', 'close')
      if (isFor(request)) {
        // Authorities are answered at every name alike.
        const isDoors = isDashboard(request) && !request.url?.startsWith(challengePath)
        return isDoors ? door?.pass(request, response) : app.routing(request, response)
      }
      request.resume()
      response.writeHead(421, { 'content-type': 'application/json; charset=utf-8' })
      response.end(misdirected)
    },
  )
  limitSlowBodies(server, paceOfBodies)
  server.on('secureConnection', (socket) => ours.add(socket))
  server.on('upgrade', (request, socket, head) => {
    if (!isFor(request))
      return void socket.end('HTTP/1.1 421 Misdirected Request\r\nconnection: close\r\n\r\n')
    // The control plane has no sockets.
    if (isDashboard(request))
      return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
    // With somebody who listens to it, Node leaves the socket to them.
    if (!app.server.emit('upgrade', request, socket, head)) socket.destroy()
  })
  return { server, isOurs: (socket: Socket | Duplex) => ours.has(socket) }
}
