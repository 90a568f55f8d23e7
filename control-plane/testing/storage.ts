import { Upload } from 'tus-js-client'
import { startAuthUsers } from './auth-users.ts'

/** Both planes with members of each role, and a bucket `files` with some objects, put there as a browser puts them. */
export async function startStorageWorld() {
  const { planes, ada, reader, developer, stranger, sql } = await startAuthUsers()
  const base = `/platform/storage/${planes.ref}`
  const bucket = `${base}/buckets/files`

  /** Addresses are told as the outside knows them; the test's data plane listens elsewhere. */
  const here = (url: string) => planes.dataPlaneUrl + url.slice('http://localhost:8001'.length)

  async function upload(path: string, text: string, type = 'text/plain', upsert = false) {
    const begun = await ada.call('POST', `${bucket}/objects/upload`, { paths: [path], upsert })
    const { url, uploads } = begun.body as {
      url: string
      uploads: { token: string | null; error: { code: string } | null }[]
    }
    const [one] = uploads
    if (!one?.token) return one?.error?.code ?? 'no token'
    const token = one.token
    return new Promise<string>((resolve) => {
      new Upload(Buffer.from(text), {
        endpoint: here(url),
        headers: { 'x-signature': token },
        metadata: { bucketName: 'files', objectName: path, contentType: type },
        retryDelays: null,
        onSuccess: () => resolve('uploaded'),
        onError: (error) => resolve(error.message),
      }).start()
    })
  }

  const made = await ada.call('POST', `${base}/buckets`, { name: 'files' })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return { planes, ada, reader, developer, stranger, sql, base, bucket, here, upload }
}
export type StorageWorld = Awaited<ReturnType<typeof startStorageWorld>>
