import {
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { createOrganization, runSql, type Account } from '../testing/client.ts'
import { newPerson } from '../testing/people.ts'
import { sharedPlatform } from '../testing/shared-platform.ts'
import { openProject } from '../testing/workbench.ts'

/** A project's storage by the S3 protocol, from the first access key to its end, with the unmodified client. */
let ada: Account
let ref: string
beforeAll(async () => {
  ada = await newPerson(sharedPlatform())
  ;({ ref } = await openProject(ada, await createOrganization(ada, 'Acme'), 'Files'))
  await runSql(ada, ref, "insert into storage.buckets (id, name) values ('files', 'files')")
})

type Config = { fileSizeLimit: number; s3: { endpoint: string; region: string } }

test('a key opens the buckets, settings count at once, and a deleted key opens nothing', async () => {
  const settings = `/platform/projects/${ref}/config/storage`
  const keys = `/platform/storage/${ref}/credentials`
  const { body } = await ada.call('GET', settings)
  const { s3: place } = body as unknown as Config
  const made = await ada.call('POST', keys, { description: 'Backups' })
  const credentials = {
    accessKeyId: String(made.body['access_key']),
    secretAccessKey: String(made.body['secret_key']),
  }
  const s3 = new S3Client({ ...place, credentials, forcePathStyle: true, maxAttempts: 1 })
  const file = { Bucket: 'files', Key: 'a/b.txt' }
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.then(() => undefined).catch((reason: unknown) => reason)
    return error instanceof Error ? error.name : ''
  }
  const put = (Body: string) => s3.send(new PutObjectCommand({ ...file, Body }))
  try {
    await expect.poll(() => refusal(put('hello'))).toBe('')
    const { Body } = await s3.send(new GetObjectCommand(file))
    expect(await Body?.transformToString()).toBe('hello')
    const { Buckets } = await s3.send(new ListBucketsCommand({}))
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['files'])

    await ada.call('PATCH', settings, { fileSizeLimit: 4 })
    await expect.poll(() => refusal(put('hello'))).toBe('EntityTooLarge')
    await ada.call('PATCH', settings, { features: { s3Protocol: { enabled: false } } })
    await expect.poll(() => refusal(put('four'))).toBe('FeatureNotEnabled')
    await ada.call('PATCH', settings, { features: { s3Protocol: { enabled: true } } })
    await expect.poll(() => refusal(put('four'))).toBe('')

    const { id } = made.body
    expect((await ada.call('DELETE', `${keys}/${String(id)}`)).status).toBe(200)
    await expect.poll(() => refusal(put('four'))).toBe('InvalidAccessKeyId')
  } finally {
    s3.destroy()
  }
})
