import { request as askPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as askEncrypted } from 'node:https'
import { posix } from 'node:path'
import type { ErrorCode } from '#contract/errors'
import { ApiError } from '#kit/errors'
import { doorHeader, doorProof } from '#kit/http/front-door'
import { requestId } from '#kit/http/http-security'
import type { Log } from '#kit/log'
import { unreachablePage } from './unreachable-page.ts'
import type { DashboardTarget } from './source.ts'

/** One that is there takes a connection at once. */
const connectMs = 10_000
/** A connection on which nothing moves for longer is given up, whatever it waits for. */
const idleMs = 3_600_000
const retrySeconds = 5

/** They belong to one connection, or are for us to say. */
const notPassedOn =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|via|x-real-ip|x-forwarded-.*|x-plinth-door)$/

const namedIn = (connection: string | undefined): Set<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()))

/** Path and query that the control plane is asked for; undefined: it is no address of ours. */
function targetOf(url: string): string | undefined {
  if (url.startsWith('/')) return url
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/is.exec(url) ?? []
  return rest === undefined || rest.startsWith('/') ? rest : `/${rest}`
}

/** Whether somebody could take an address for one of our own programs' alone, in whatever spelling. */
function isInternal(path: string): boolean {
  let [plain = ''] = path.split(/[?#]/, 1)
  for (let before = ''; before !== plain;) {
    before = plain
    try {
      plain = decodeURIComponent(plain)
    } catch {
      break
    }
  }
  return /^\/internal(?:\/|$)/i.test(
    posix.normalize(plain.replaceAll('\\', '/').replace(/^\/+/, '/')),
  )
}

function passedOn({ headers, socket }: IncomingMessage, proof: string) {
  const ofConnection = namedIn(headers.connection)
  const kept = Object.entries(headers).filter(
    ([name]) => !notPassedOn.test(name) && !ofConnection.has(name),
  )
  return {
    ...Object.fromEntries(kept),
    host: headers.host,
    ...(headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
    // An IPv4 address that came by a socket for both kinds.
    'x-forwarded-for': (socket.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, ''),
    'x-forwarded-proto': 'https',
    'x-forwarded-host': headers.host,
    [doorHeader]: proof,
  }
}

/**
 * The way to the dashboard and the platform API through the HTTPS port of a data plane. Requests and answers are passed on as they come,
 * and whoever goes away is gone for the other side too. Each request is written anew from what was read of it, on a connection of its
 * own, so nobody hides a second one in it. The control plane knows the caller's address from here, by a proof (`trustDoor`).
 */
export function createDashboardDoor(
  { hostname, controlPlaneUrl, internalToken }: DashboardTarget,
  log: Log,
) {
  const { protocol, hostname: host, port, pathname } = new URL(controlPlaneUrl)
  const ask = protocol === 'https:' ? askEncrypted : askPlain
  const proof = doorProof(internalToken)
  const before = pathname.replace(/\/+$/, '')

  function refuse(request: IncomingMessage, response: ServerResponse, code: ErrorCode): void {
    const error = new ApiError(code)
    const id = requestId(request)
    request.resume()
    const isAway = code === 'service_unavailable'
    const asPage = isAway && /\btext\/html\b/.test(request.headers.accept ?? '')
    const body = { message: error.message, code, requestId: id }
    response.writeHead(error.status, {
      'content-type': asPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-request-id': id,
      // Whoever was not understood may mean something else by what follows.
      ...(code === 'invalid_input' && { connection: 'close' }),
      ...(isAway && { 'retry-after': String(retrySeconds) }),
    })
    response.end(asPage ? unreachablePage(retrySeconds) : JSON.stringify(body))
  }

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', method, headers } = request
    const target = targetOf(url)
    const { 'transfer-encoding': coding = 'chunked', 'content-length': length } = headers
    if (target === undefined || coding.toLowerCase() !== 'chunked')
      return refuse(request, response, 'invalid_input')
    if (isInternal(target)) return refuse(request, response, 'not_found')

    const onward = ask({
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port: port || (protocol === 'https:' ? 443 : 80),
      method,
      path: before + target,
      headers: passedOn(request, proof),
      // One that is kept may end just when the next request is on its way.
      agent: false,
      timeout: idleMs,
    })
    const late = setTimeout(
      () => onward.destroy(new Error('The control plane takes no connection')),
      connectMs,
    )
    onward.on('socket', (socket) => socket.once('connect', () => clearTimeout(late)))
    onward.on('timeout', () => onward.destroy(new Error('The control plane says nothing')))
    onward.on('response', (answer) => {
      const ofConnection = namedIn(answer.headers.connection)
      const { rawHeaders } = answer
      for (let i = 0; i < rawHeaders.length; i += 2) {
        const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
        const lower = name.toLowerCase()
        if (!notPassedOn.test(lower) && !ofConnection.has(lower)) response.appendHeader(name, value)
      }
      // Whoever was answered before all was sent need not send the rest.
      if (!request.complete) response.setHeader('connection', 'close')
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage)
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', (error) => {
      request.unpipe(onward)
      request.resume()
      // Its own caller has gone, or has been answered already.
      if (response.destroyed || response.writableEnded) return
      if (response.headersSent) return void response.destroy()
      log.warn({ err: error }, 'The dashboard cannot be reached')
      refuse(request, response, 'service_unavailable')
    })
    onward.on('close', () => clearTimeout(late))
    response.once('close', () => onward.destroy())
    if (length === undefined && headers['transfer-encoding'] === undefined) onward.end()
    else request.pipe(onward)
  }

  return { hostname, pass }
}
export type DashboardDoor = ReturnType<typeof createDashboardDoor>
