import { restrictionErrors, restrictionOf } from '../../../projects/restriction.ts'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { ProjectConnection } from '#contract/internal'
import { importUpload } from '#contract/database/table-transfer'
import { ApiError } from '#kit/errors'
import { failureOf } from '../../failures.ts'
import type { ImportSpool } from './row-import-spool.ts'
import { isUploadToken, takeUpload } from './row-import-upload.ts'

type Options = {
  spool: ImportSpool
  /** The same that the tokens are made from. */
  secret: string
  /** Undefined: there is no such project. */
  open(ref: string): Promise<{ connection: ProjectConnection } | undefined>
  /** A failure of the services in general, such as a project that is away. */
  answerOf(error: unknown): { status: number; body: object } | undefined
}

const Offset = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** Serves `importUpload` below `/:ref/import/v1`, to pages of any origin: whoever has the token was given it by us. */
export async function importUploadRoutes(
  scope: FastifyInstance,
  { spool, secret, open, answerOf }: Options,
): Promise<void> {
  scope.removeAllContentTypeParsers()
  // Whatever it calls itself, it goes on byte by byte.
  scope.addContentTypeParser('*', (_, body, done) => done(null, body))
  scope.setErrorHandler((error, request, reply) => {
    const { status, body } = answerOf(error) ?? failureOf(error) ?? unexpected(error, request)
    return reply.status(status).send(body)
  })
  // Before anything of the body is read.
  scope.addHook('onRequest', async (request) => {
    const key = keyOf(request)
    const [, token = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (!isUploadToken(secret, key, token))
      throw new ApiError('not_signed_in', 'This is not a valid upload token of this import')
    const project = await open(key.ref)
    if (!project) throw new ApiError('project_not_found')
    const restriction = restrictionOf(project.connection)
    if (restriction) throw new ApiError(restrictionErrors[restriction])
  })
  scope.route({
    method: importUpload.method,
    url: '/:import',
    handler: (request) => {
      const { offset } = request.query as { offset?: unknown }
      const from = Offset.safeParse(offset)
      if (!from.success) throw new ApiError('invalid_input', 'offset: must be a byte of the file')
      const { body } = request as { body?: Readable }
      if (!body) throw new ApiError('invalid_input', 'The body must be bytes of the file')
      const length = request.headers['content-length']
      return takeUpload(spool, keyOf(request), from.data, {
        body,
        length: length === undefined ? undefined : Number(length),
      })
    },
  })
}

const keyOf = ({ params }: FastifyRequest) => {
  // Both stand in the address of every route here.
  const { ref, import: id } = params as { ref: string; import: string }
  return { ref, id }
}

/** Fastify's own refusals, and bugs of ours. */
function unexpected(error: unknown, { log }: FastifyRequest) {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status >= 400 && status < 500)
    return { status, body: { code: 'invalid_input', message: String((error as Error).message) } }
  log.error({ err: error }, 'an upload failed')
  const { message } = new ApiError('internal')
  return { status: 500, body: { code: 'internal', message } }
}
