import type { Platform } from '../../platform.ts'
import { createDocuments, type Documents } from './documents.ts'
import { documentStore } from './store.ts'
import { documents as api } from '#contract/organizations/documents'
import { ApiError } from '#kit/errors'
import { implement, implementRaw, originOf } from '#kit/http'

/** Legal documents, where whoever runs the platform supplies some. */
export const documentsFeature = ({ db, record, documents: folder }: Platform) => ({
  routes: documentRoutes(createDocuments({ store: documentStore(db), record, folder })),
})

const documentRoutes = (documents: Documents) => [
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
