import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LoadGraphql } from './load-graphql.ts'
import { Refusal } from './refusal.ts'
import type { CachedSchema, Service } from './service.ts'

type Options<S extends CachedSchema> = {
  /** Whose request it is and what it may use. @throws Refusal with status 401 */
  serviceOf(request: FastifyRequest): Promise<{ service: Service<S>; target: string }>
  load: LoadGraphql
  /** Bytes. */
  bodyLimit?: number
}

/** Mounts the GraphQL service on a scope that the gateway guards. */
export function graphqlRoutes<S extends CachedSchema>(
  app: FastifyInstance,
  { serviceOf, load, bodyLimit = 4 * 1024 * 1024 }: Options<S>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
    done(null, body),
  )

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service, target } = await serviceOf(request)
    const { method, headers } = request
    // The parser above makes every body a Buffer; a request without one has none.
    const body = request.body as Buffer | undefined
    const http = { method, target, contentType: headers['content-type'], body }
    const graphql = await load()
    const { status, body: answer } = await graphql.serve(service, http)
    return send(reply, status, answer)
  }

  // Below a prefix this is the address with and without a slash behind it.
  app.all('/', handle)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = error instanceof Refusal ? error : refusalOf(error)
    if (!refusal) {
      request.log.error({ err: error, requestId: request.id }, 'A GraphQL request failed')
      return send(reply, 500, { errors: [{ message: 'Something went wrong on our side' }] })
    }
    const { message, status, headers } = refusal
    void reply.headers(headers)
    return send(reply, status, { errors: [{ message, extensions: refusal.extensions() }] })
  })
}

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply
    .status(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body))

/** Fastify's own refusals: body too large, length that does not agree, unreadable content type. */
function refusalOf(error: FastifyError): Refusal | undefined {
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? new Refusal(status, error.message) : undefined
}
