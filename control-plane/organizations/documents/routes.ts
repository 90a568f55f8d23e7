import { documents as api } from '#contract/organizations/documents'
import { ApiError } from '#kit/errors'
import { implement, implementRaw, originOf } from '#kit/http'
import type { Documents } from './documents.ts'

export const documentRoutes = (documents: Documents) => [
  implement(api.list, ({ slug }) => documents.list(slug)),
  implementRaw(api.download, async ({ slug, id }, caller, { request, reply }) => {
    if (!caller) throw new ApiError('not_signed_in')
    const { stream, size, filename } = await documents.download(caller, slug, id, originOf(request))
    return reply
      .header('content-type', 'application/pdf')
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${filename}"`)
      .send(stream)
  }),
]
