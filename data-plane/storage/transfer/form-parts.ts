import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../errors.ts'

export type FormParts = {
  /** Of all fields that stood before what was read last. */
  fields: Map<string, string>
  /** Reads on to the next file; undefined at the end of the form. @throws StorageError */
  untilFile: () => Promise<MultipartFile | undefined>
  /** What a file holds, to be read before what stands behind it. @throws StorageError */
  bytesOf: (file: MultipartFile) => AsyncIterable<Uint8Array>
}

/** The parts of a form with one file, in their order. */
export function formParts(
  request: FastifyRequest,
  limits: { fields: number; fieldSize: number },
): FormParts {
  const parts = request.parts({ limits: { files: 1, fileSize: Infinity, ...limits } })
  const fields = new Map<string, string>()
  return {
    fields,
    untilFile: async () => {
      try {
        for (let next = await parts.next(); !next.done; next = await parts.next()) {
          if (next.value.type === 'file') return next.value
          fields.set(next.value.fieldname, String(next.value.value))
        }
        return undefined
      } catch (error) {
        throw refusalOf(error)
      }
    },
    bytesOf: async function* ({ file }) {
      try {
        yield* file as AsyncIterable<Buffer>
      } catch (error) {
        throw refusalOf(error)
      }
    },
  }
}

/** Of a form that is none the parser says so by an error without a status. */
const refusalOf = (error: unknown): unknown =>
  error instanceof Error && !('statusCode' in error)
    ? invalidRequest(`The form cannot be read: ${error.message}`)
    : error
