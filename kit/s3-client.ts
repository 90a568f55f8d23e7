import { createHash } from 'node:crypto'
import type { S3Client } from '@aws-sdk/client-s3'

export type S3Access = {
  region: string
  /** Undefined: Amazon's own. */
  endpoint?: string | undefined
  /** Undefined: as the environment of the program says it (roles of machines, profiles). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined
}
type Sdk = typeof import('@aws-sdk/client-s3')
type HeaderBag = Record<string, string>

/** Objects that a server removes by one request at most. */
export const mostRemovedAtOnce = 1000

/** A client that servers of other makers understand as well. The library is loaded by the first who asks. */
export async function openS3(access: S3Access): Promise<{ sdk: Sdk; s3: S3Client }> {
  const { region, endpoint, credentials } = access
  const sdk = await import('@aws-sdk/client-s3')
  const s3 = new sdk.S3Client({
    region,
    forcePathStyle: endpoint !== undefined,
    // Not every server knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
  })
  // The newer checksum is not enough for every server: without this header Swift removes nothing.
  s3.middlewareStack.add(
    (send, { commandName }) =>
      (call) => {
        const { headers, body } = call.request as { headers: HeaderBag; body?: unknown }
        if (commandName === 'DeleteObjectsCommand' && typeof body === 'string')
          headers['content-md5'] = createHash('md5').update(body).digest('base64')
        return send(call)
      },
    { step: 'build', name: 'md5OfDeletes' },
  )
  return { sdk, s3 }
}
