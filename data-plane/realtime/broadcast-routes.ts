import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseJson } from '#kit/http/json-body'
import { maxPayloadBytes } from '#contract/realtime/realtime'
import type { Broadcast } from './hub.ts'
import { ChannelRefusal } from './refusal.ts'
import type { Reader, Service } from './service.ts'

type Caller = { service: Service; reader: Reader }
type Options = {
  /** Who asks. @throws ChannelRefusal for a token that is not good */
  callerOf(request: FastifyRequest): Promise<Caller>
}

const Batch = z.object({
  messages: z
    .array(
      z.object({
        topic: z.string().min(1),
        event: z.string().min(1),
        payload: z.unknown().refine((payload) => payload !== undefined, 'is required'),
        private: z.boolean().nullish(),
        id: z.string().nullish(),
      }),
    )
    .min(1),
})
type One = { name: string; isPrivate: boolean; size: number; broadcast: Broadcast }

/** Above the largest message that a project can allow: what is larger is not read. */
const maxBytes = 11 * 1024 * 1024

/** Broadcasts by whoever holds no socket: many as JSON, or one with its topic and event in the address. */
export function broadcastRoutes(scope: FastifyInstance, { callerOf }: Options): void {
  scope.removeAllContentTypeParsers()
  const parse = (_: FastifyRequest, body: Buffer, done: (error: null, body: Buffer) => void) =>
    done(null, body)
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, parse)
  scope.setErrorHandler((error, _request, reply) => {
    if (error instanceof ChannelRefusal) return refuse(reply, error.status, error.reason)
    if (isTooLarge(error)) return refuse(reply, 422, 'Payload size exceeds the limit')
    throw error
  })

  scope.post('/broadcast', async (request, reply) => {
    const caller = await callerOf(request)
    const batch = Batch.safeParse(await jsonOf(bytesOf(request)))
    if (!batch.success) {
      const errors = batch.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
      return reply.status(422).send({ errors })
    }
    const messages = batch.data.messages.map((message): One => {
      const { topic: name, event, payload, id } = message
      const isPrivate = message.private ?? false
      const meta = id == null ? {} : { meta: { id } }
      return {
        name,
        isPrivate,
        size: Buffer.byteLength(JSON.stringify(payload)),
        broadcast: { name, isPrivate, payload: { type: 'broadcast', event, payload, ...meta } },
      }
    })
    return send(caller, request, reply, messages)
  })

  type Params = { topic: string; event: string }
  type Query = { private?: string }
  scope.post<{ Params: Params; Querystring: Query }>(
    '/broadcast/:topic/events/:event',
    async (request, reply) => {
      const caller = await callerOf(request)
      const { topic: name, event } = request.params
      const isPrivate = request.query.private === 'true'
      const bytes = bytesOf(request)
      const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
      if (type !== 'application/json' && type !== 'application/octet-stream') {
        return refuse(reply, 415, 'Send application/json or application/octet-stream')
      }
      const isJson = type === 'application/json'
      if (isJson && (await jsonOf(bytes)) === undefined) {
        return refuse(reply, 422, 'The body is not JSON')
      }
      const user = { event, isJson, payload: bytes, meta: '' }
      const message = { name, isPrivate, size: bytes.length, broadcast: { name, isPrivate, user } }
      return send(caller, request, reply, [message])
    },
  )
}

async function send(
  { service, reader }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  messages: One[],
): Promise<FastifyReply> {
  const settings = service.settings()
  if (!settings.enabled) return refuse(reply, 403, 'Realtime is disabled for this project')
  if (messages.some(({ size }) => size > maxPayloadBytes(settings))) {
    return refuse(reply, 422, 'Payload size exceeds the limit')
  }
  if (!service.rates.events.take(messages.length)) {
    return refuse(reply, 429, 'Too many messages per second')
  }
  // Each private topic is asked about once; who may not write there is not told so.
  const writable = new Map<string, boolean>()
  for (const { name, isPrivate, broadcast } of messages) {
    if (isPrivate && !writable.has(name)) {
      const headers = JSON.stringify(request.headers)
      writable.set(name, (await service.access(reader, name, headers)).broadcast.write)
    }
    service.counts.received++
    if (!isPrivate || writable.get(name)) service.hub.broadcast(broadcast)
  }
  return reply.status(202).send()
}

const refuse = (reply: FastifyReply, status: number, message: string) =>
  reply.status(status).send({ message, error: message })

const bytesOf = ({ body }: FastifyRequest): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

async function jsonOf(bytes: Buffer): Promise<unknown> {
  try {
    return await parseJson(bytes)
  } catch {
    return undefined
  }
}

const isTooLarge = (error: unknown) =>
  typeof error === 'object' && error !== null && 'statusCode' in error && error.statusCode === 413
