import { gunzipSync, gzipSync } from 'node:zlib'
import {
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { barmanApi, type ObjectStore } from '../../kubernetes/backups/objects.ts'
import type { Store } from './store.ts'

/** The bucket of an ObjectStore, as the plugin comes to it: by what stands in that object and in its Secret, and by nothing else. */
export function openObjectStore(store: Store, namespace: string, name: string) {
  const found = store.get('ObjectStore', namespace, name) as unknown as ObjectStore
  if (found.apiVersion !== barmanApi) throw new Error(`${name} is no ObjectStore of ${barmanApi}`)
  const { configuration, instanceSidecarConfiguration } = found.spec
  const { destinationPath, endpointURL, s3Credentials } = configuration
  const value = ({ name: secret, key }: { name: string; key: string }) => {
    const data = store.get('Secret', namespace, secret).data as Record<string, string>
    const text = data[key]
    if (text === undefined) throw new Error(`The Secret ${secret} has no ${key}`)
    return Buffer.from(text, 'base64').toString('utf8')
  }
  const { hostname: Bucket, pathname } = new URL(destinationPath)
  const top = `${pathname.replace(/^\/|\/$/g, '')}/`
  const s3 = new S3Client({
    region: value(s3Credentials.region),
    credentials: {
      accessKeyId: value(s3Credentials.accessKeyId),
      secretAccessKey: value(s3Credentials.secretAccessKey),
    },
    forcePathStyle: true,
    ...(endpointURL !== undefined && { endpoint: endpointURL }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const put = (key: string, Body: Buffer) =>
    s3.send(new PutObjectCommand({ Bucket, Key: top + key, Body }))
  async function get(key: string): Promise<Buffer> {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: top + key }))
    return Buffer.from((await Body?.transformToByteArray()) ?? [])
  }
  async function keys(folder: string): Promise<string[]> {
    const all: string[] = []
    for (let token: string | undefined, more = true; more;) {
      const ask = { Bucket, Prefix: top + folder, ContinuationToken: token }
      const page = await s3.send(new ListObjectsV2Command(ask))
      all.push(...(page.Contents ?? []).map(({ Key = '' }) => Key.slice(top.length)))
      token = page.NextContinuationToken
      more = page.IsTruncated === true
    }
    return all
  }
  const walKey = (server: string, wal: string) =>
    /^[0-9A-F]{24}/.test(wal)
      ? `${server}/wals/${wal.slice(0, 16)}/${wal}.gz`
      : `${server}/wals/${wal}.gz`
  return {
    /** Where it is, for whoever asks whether a pod gets there. */
    endpoint: new URL(endpointURL ?? 'https://s3.amazonaws.com'),
    resources: instanceSidecarConfiguration.resources,
    isEmpty: async (server: string) => (await keys(`${server}/wals/`)).length === 0,
    archive: (server: string, wal: string, bytes: Buffer) =>
      put(walKey(server, wal), gzipSync(bytes, { level: 1 })),
    async putBase(server: string, id: string, tar: Buffer): Promise<void> {
      await put(`${server}/base/${id}/data.tar.gz`, gzipSync(tar, { level: 1 }))
      await put(`${server}/base/${id}/backup.info`, Buffer.from(`backup_id=${id}\n`))
    },
    async getBase(server: string, id: string): Promise<Buffer> {
      return gunzipSync(await get(`${server}/base/${id}/data.tar.gz`))
    },
    /** Every archived file, by its name. */
    async *wals(server: string): AsyncIterable<{ name: string; bytes: Buffer }> {
      for (const key of await keys(`${server}/wals/`)) {
        const name = key.replace(/^.*\//, '').replace(/\.gz$/, '')
        yield { name, bytes: gunzipSync(await get(key)) }
      }
    },
    close: () => s3.destroy(),
  }
}
export type ObjectStoreBucket = ReturnType<typeof openObjectStore>
