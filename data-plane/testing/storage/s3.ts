import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import { ada, startStorage, type StoragePlane } from './storage.ts'

export const accessKey = {
  accessKey: '0123456789abcdef0123456789abcdef',
  secretKey: 'f'.repeat(64),
}
export const region = 'eu-central-1'
export const storageSettings = {
  fileSizeLimit: 40_000_000,
  imageTransformation: true,
  s3Protocol: true,
  region,
  trashDays: 7,
}

export type S3Plane = StoragePlane & Awaited<ReturnType<typeof clientsOf>>

/** A storage service with an access key, and the unmodified client in several hands. */
export async function startS3(more: Parameters<typeof startStorage>[0] = {}): Promise<S3Plane> {
  const plane = await startStorage({ projectUrl: 'http://{ref}.s3.test', ...more })
  plane.project.storageKeys.push(accessKey)
  const settings = { ...plane.project.settings, storage: storageSettings }
  Object.assign(plane.project, { settings })
  plane.directory.put({ ...plane.project })
  return { ...plane, ...clientsOf(plane) }
}

function clientsOf({ url, project, token }: StoragePlane) {
  const endpoint = `${url}/storage/v1/s3`
  const clients: S3Client[] = []
  function client(
    credentials: NonNullable<S3ClientConfig['credentials']>,
    more: S3ClientConfig = {},
  ): S3Client {
    const options = { endpoint, region, forcePathStyle: true, maxAttempts: 1, ...more }
    const made = new S3Client({ ...options, credentials })
    clients.push(made)
    return made
  }
  const session = (sessionToken: string) => ({
    accessKeyId: project.ref,
    secretAccessKey: project.anonKey,
    sessionToken,
  })
  const full = { accessKeyId: accessKey.accessKey, secretAccessKey: accessKey.secretKey }
  return {
    endpoint,
    client,
    session,
    full,
    s3: client(full),
    s3OfAda: client(session(token({ role: 'authenticated', sub: ada }))),
    s3OfAnon: client(session(project.anonKey)),
    closeClients: () => {
      for (const made of clients) made.destroy()
    },
  }
}

/** Name and status of what the client was refused with. */
export async function refusalOf(work: Promise<unknown>): Promise<[string, number | undefined]> {
  try {
    await work
  } catch (error) {
    const { name, $metadata } = error as { name: string; $metadata?: { httpStatusCode?: number } }
    return [name, $metadata?.httpStatusCode]
  }
  return ['', undefined]
}
