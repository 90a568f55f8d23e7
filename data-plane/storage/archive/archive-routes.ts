import type { FastifyInstance } from 'fastify'
import { bucketOf, queryOf, type StorageRoutes } from '../addresses.ts'
import { archivedOf, archiveStream } from './archive.ts'
import { choiceOf } from './archive-choice.ts'
import { attachment } from '../transfer/download-headers.ts'
import { countSent } from '../transfer/sent-bytes.ts'
import { verifyGrant } from '../signed-urls.ts'

/** Several objects as one zip, by an address that the dashboard has signed. */
export function archiveRoutes(app: FastifyInstance, { visitorOf }: StorageRoutes): void {
  app.get('/archive/:bucket/:choice', async (request, reply) => {
    const [storage, bucket, query] = [visitorOf(request), bucketOf(request), queryOf(request)]
    const { choice } = request.params as { choice: string }
    const expected = { scope: 'archive', url: `${bucket}/${choice}` } as const
    verifyGrant(query.get('token') ?? undefined, expected, storage.sealingKey)
    const paths = await choiceOf(storage, choice)
    countSent(reply, storage.use.sent)
    const archived = await archivedOf(storage, bucket, paths)
    return reply
      .headers({
        'content-type': 'application/zip',
        'content-disposition': attachment(query.get('download') ?? `${bucket}.zip`),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'none',
      })
      .send(await archiveStream(storage, bucket, archived))
  })
}
