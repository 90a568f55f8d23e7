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

/** A handshake takes some hundred bytes; who is slower than this holds a place. */
const handshakeMs = 10_000
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
 * The same services as those that `app` has over HTTP. A client that asks for a name without a certificate is cut off, and one that
 * names none: nobody is shown what is somebody else's.
 */
export function createHttpsServer(
  app: FastifyInstance,
  { contextOf }: Pick<Certificates, 'contextOf'>,
) {
  /** By connection, so that nothing in a request can say otherwise. */
  const ours = new WeakSet<Socket | Duplex>()
  const isFor = ({ headers, socket }: IncomingMessage) => hostOf(headers.host) === nameOf(socket)

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
      if (isFor(request)) return app.routing(request, response)
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
    // With somebody who listens to it, Node leaves the socket to them.
    if (!app.server.emit('upgrade', request, socket, head)) socket.destroy()
  })
  return { server, isOurs: (socket: Socket | Duplex) => ours.has(socket) }
}
