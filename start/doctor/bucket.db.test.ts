import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startS3Store } from '../../data-plane/testing/storage/s3-store.ts'
import { everythingIn, saidOf } from '../testing/doctor/doctor.ts'

async function openStore() {
  const store = await startS3Store()
  onTestFinished(() => store.close())
  const { bucket, endpoint, prefix, credentials } = store.options
  const settings = {
    PLINTH_S3_BUCKET: bucket,
    PLINTH_S3_ENDPOINT: endpoint,
    PLINTH_S3_PREFIX: prefix,
    PLINTH_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    PLINTH_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
  return { ...store, settings }
}

/** A server in front of the store that refuses some questions, as a key with too few rights is refused. */
async function refusing(endpoint: string, isRefused: (question: IncomingMessage) => boolean) {
  const server = createServer((question, response) => {
    if (isRefused(question)) {
      question.resume()
      response.writeHead(403, { 'content-type': 'application/xml' })
      response.end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>')
      return
    }
    const { method, headers, url = '/' } = question
    const passed = ask(new URL(url, endpoint), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    question.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a bucket in which everything works is left as it was', async () => {
  const { settings, directory } = await openStore()
  const before = everythingIn(directory)
  expect(await saidOf('bucket', settings)).toEqual([
    'ok plinth: objects are written, read, copied, listed and removed',
  ])
  expect(everythingIn(directory)).toEqual(before)
  expect(await saidOf('clock', settings)).toEqual([
    'ok the clock of the object store agrees with ours',
  ])
})

test('a bucket that is not there, and a store that is not there, is a fail', async () => {
  const { settings } = await openStore()
  expect(await saidOf('bucket', { ...settings, PLINTH_S3_BUCKET: 'elsewhere' })).toEqual([
    expect.stringMatching(/^fail elsewhere cannot be written to: .*bucket does not exist/i),
  ])
  const nowhere = { ...settings, PLINTH_S3_ENDPOINT: 'http://127.0.0.1:1' }
  expect(await saidOf('bucket', nowhere)).toEqual([
    expect.stringMatching(/^fail plinth cannot be written to: .*ECONNREFUSED/),
  ])
})

test.each<[string, string, (question: IncomingMessage) => boolean]>([
  ['upload parts', 'written to in parts', ({ url = '' }) => url.includes('uploads')],
  ['read', 'read', ({ method, url = '' }) => method === 'GET' && !url.includes('list-type')],
  ['list', 'listed', ({ url = '' }) => url.includes('list-type')],
])('a key that may not %s is named for it, and nothing stays', async (_, step, isRefused) => {
  const { settings, directory } = await openStore()
  const before = everythingIn(directory)
  const endpoint = await refusing(settings.PLINTH_S3_ENDPOINT, isRefused)
  expect(await saidOf('bucket', { ...settings, PLINTH_S3_ENDPOINT: endpoint })).toEqual([
    expect.stringMatching(
      new RegExp(`^fail plinth cannot be ${step}: .*denied(?!.*may be left)`, 'i'),
    ),
  ])
  expect(everythingIn(directory)).toEqual(before)
})

test('a key that may not delete is told what it has left', async () => {
  const { settings, directory } = await openStore()
  const endpoint = await refusing(settings.PLINTH_S3_ENDPOINT, ({ url = '' }) =>
    url.includes('?delete'),
  )
  const [said = ''] = await saidOf('bucket', { ...settings, PLINTH_S3_ENDPOINT: endpoint })
  const left = /what begins with (a\/b\/doctor-[0-9a-f]{12}) may be left there/.exec(said)?.[1]
  expect(said).toMatch(/^fail plinth cannot be emptied: /)
  expect(everythingIn(directory).some((path) => path.includes(`/${left}/large`))).toBe(true)
})
