import { plainEvent, type DrainBatch, type MakeDestination } from '../drain-event.ts'
import { awsSignature, pathPart } from './aws-signature.ts'

/**
 * An object for each batch, named by its first entry: a batch that is sent again has the name it had, and what it had.
 */
export const s3: MakeDestination<'s3'> = (config) => {
  const { storage_region: region, access_key_id: accessKeyId, prefix } = config
  const base = baseOf(config)
  const headers = { 'content-type': 'application/gzip' }
  return {
    request: (batch) => {
      const name = [prefix.replaceAll(/^\/+|\/+$/g, ''), nameOf(batch)].filter(
        (part) => part !== '',
      )
      const url = `${base}/${name.join('/').split('/').map(pathPart).join('/')}`
      return {
        url,
        method: 'PUT',
        headers,
        body: batch.events
          .map((event) => `${JSON.stringify(plainEvent(event, batch.owner))}\n`)
          .join(''),
        gzip: 'file',
        sign: (body) =>
          awsSignature({
            method: 'PUT',
            url,
            headers,
            body,
            region,
            accessKeyId,
            secretAccessKey: config.secret_access_key,
            now: batch.now,
          }),
      }
    },
  }
}

type Place = { endpoint?: string | undefined; s3_bucket: string; storage_region: string }
function baseOf({ endpoint, s3_bucket: bucket, storage_region: region }: Place): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${pathPart(bucket)}`
  // A name with dots is none that a certificate covers.
  return /^[a-z\d-]+$/.test(bucket)
    ? `https://${bucket}.s3.${region}.amazonaws.com`
    : `https://s3.${region}.amazonaws.com/${pathPart(bucket)}`
}

/** `{owner}/2026/03/10/120000-{id}.json.gz`, by the time of the first entry. */
function nameOf({ owner, events, now }: DrainBatch): string {
  const [first] = events
  const time = new Date(first ? first.timestamp / 1000 : now).toISOString()
  const [day = '', clock = ''] = time.split('T')
  const at = clock.slice(0, 8).replaceAll(':', '')
  return `${owner.name}/${day.replaceAll('-', '/')}/${at}-${first?.id ?? 'none'}.json.gz`
}
