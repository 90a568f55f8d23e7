import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { invalidRequest } from './errors.ts'

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
  const parts = request
    .parts({ limits: { files: 1, fileSize: Infinity, ...limits } })
    [Symbol.asyncIterator]()
  const fields = new Map<string, string>()
  return {
    fields,
    untilFile: async () => {
      for (
        let next = await orRefusal(parts.next());
        !next.done;
        next = await orRefusal(parts.next())
      ) {
        if (next.value.type === 'file') return next.value
        fields.set(next.value.fieldname, String(next.value.value))
      }
      return undefined
    },
    bytesOf: async function* ({ file }) {
      const bytes = file[Symbol.asyncIterator]()
      for (
        let next = await orRefusal(bytes.next());
        !next.done;
        next = await orRefusal(bytes.next())
      )
        yield next.value as Buffer
    },
  }
}

/** Of a form that is none the parser says so by an error without a status. */
async function orRefusal<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    if (!(error instanceof Error) || 'statusCode' in error) throw error
    throw invalidRequest(`The form can not be read: ${error.message}`)
  }
}
