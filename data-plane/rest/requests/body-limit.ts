import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const tooLarge = (max: number) =>
  Object.assign(new Error(`The body of the request is larger than ${max} bytes`), {
    statusCode: 413,
  })

/** Refuses larger bodies with 413: by the length that they say, or as soon as more has come. @param maxOf bytes */
export function limitBodies(
  app: FastifyInstance,
  maxOf: (request: FastifyRequest) => number,
): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const max = maxOf(request)
    const length = request.headers['content-length']
    if (length !== undefined) {
      return done(Number(length) > max ? tooLarge(max) : null, payload)
    }
    let size = 0
    const counted = new Transform({
      transform(part: Buffer, _encoding, next) {
        size += part.length
        next(size > max ? tooLarge(max) : null, part)
      },
    })
    payload.on('error', (error) => counted.destroy(error))
    return done(null, payload.pipe(counted))
  })
}
