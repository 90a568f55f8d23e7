import { Agent } from 'node:http'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { createPresignedPost, type PresignedPostOptions } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bob } from '../../testing/storage/storage.ts'
import {
  accessKey,
  refusalOf,
  region,
  startS3,
  storageSettings,
  type S3Plane,
} from '../../testing/storage/s3.ts'
import { ask as askSigned, codeIn, stamp, type Ask } from '../../testing/storage/s3-signing.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
  await plane.service.from('own').upload('kept', 'kept')
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const ask = (asked: Ask) => askSigned(plane.endpoint, asked)

test('a request that is signed by the rules is answered', async () => {
  expect(await ask({})).toEqual([200, ''])
  expect(await ask({ region: 'us-east-1' })).toEqual([200, ''])
  expect(await ask({ query: 'response-content-type=text%2Fplain&x-id=GetObject' })).toEqual([
    200,
    '',
  ])
})

const hour = 3600_000
const mismatch = [403, 'SignatureDoesNotMatch']
test.each<[string, Ask, unknown[]]>([
  ['another path', { sent: { path: '/own/other' } }, mismatch],
  ['another query', { query: 'x-id=a', sent: { query: 'x-id=b' } }, mismatch],
  ['one parameter more', { sent: { query: 'tagging=' } }, mismatch],
  ['another method', { method: 'PUT', body: 'x', sent: { method: 'DELETE' } }, mismatch],
  ['another header', { sent: { headers: { 'x-amz-date': stamp(Date.now() - 60_000) } } }, mismatch],
  ['a header more', { sent: { headers: { 'x-amz-acl': 'private' } } }, [403, 'AccessDenied']],
  ['a token more', { sent: { headers: { 'x-amz-security-token': 'x' } } }, [403, 'AccessDenied']],
  [
    'another body',
    { method: 'PUT', body: 'good', sent: { body: 'evil' } },
    [400, 'XAmzContentSHA256Mismatch'],
  ],
  [
    'a signature of zeros',
    {
      sent: {
        headers: {
          authorization: `AWS4-HMAC-SHA256 Credential=${accessKey.accessKey}/20260101/${region}/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
        },
      },
    },
    mismatch,
  ],
  [
    'a header that is none',
    { sent: { headers: { authorization: 'AWS4-HMAC-SHA256 x' } } },
    [400, 'AuthorizationHeaderMalformed'],
  ],
  ['a bearer', { sent: { headers: { authorization: 'Bearer x' } } }, [403, 'AccessDenied']],
  ['a clock behind', { time: stamp(Date.now() - hour / 3) }, [403, 'RequestTimeTooSkewed']],
  ['a clock ahead', { time: stamp(Date.now() + hour / 3) }, [403, 'RequestTimeTooSkewed']],
  ['no time', { time: 'never', date: stamp().slice(0, 8) }, [403, 'AccessDenied']],
  ['another day', { date: '20200101' }, mismatch],
  ['another region', { region: 'eu-west-9' }, [400, 'AuthorizationHeaderMalformed']],
  ['another service', { service: 'ec2' }, [400, 'AuthorizationHeaderMalformed']],
  [
    'a key of nobody',
    { key: { ...accessKey, accessKey: '9'.repeat(32) } },
    [403, 'InvalidAccessKeyId'],
  ],
  ['a wrong secret', { key: { ...accessKey, secretKey: 'x' } }, mismatch],
  ['an empty secret', { key: { ...accessKey, secretKey: '' } }, mismatch],
  [
    'a coding that nobody knows',
    { method: 'PUT', body: 'x', payload: 'STREAMING-X' },
    [501, 'NotImplemented'],
  ],
  ['a hash that is none', { method: 'PUT', body: 'x', payload: 'x' }, [400, 'InvalidArgument']],
  [
    'a wrong MD5',
    { method: 'PUT', body: 'x', headers: { 'content-md5': btoa('0'.repeat(16)) } },
    [400, 'BadDigest'],
  ],
  [
    'a CRC that is none',
    { method: 'PUT', body: 'x', headers: { 'x-amz-checksum-crc32': 'AAAAAA==' } },
    [400, 'BadDigest'],
  ],
  ['a subresource', { method: 'PUT', query: 'acl=', body: 'x' }, [501, 'NotImplemented']],
  ['a verb without meaning', { method: 'POST', body: 'x' }, [405, 'MethodNotAllowed']],
  ['a key with dots', { method: 'PUT', path: '/own/a/%2E%2E%2Fb', body: 'x' }, mismatch],
  ['a key of a quote', { method: 'PUT', path: '/own/%22', body: 'x' }, [400, 'InvalidKey']],
  ['a key of NUL', { method: 'PUT', path: '/own/%00', body: 'x' }, [400, 'InvalidKey']],
  ['an empty part', { method: 'PUT', path: '/own//x', body: 'x' }, [400, 'InvalidKey']],
  ['a bucket of dots', { method: 'PUT', path: '/%2A%22', body: '' }, [400, 'InvalidBucketName']],
  [
    'a long key',
    { method: 'PUT', path: `/own/${'k'.repeat(1025)}`, body: 'x' },
    [400, 'InvalidKey'],
  ],
])('%s is refused', async (_, asked, expected) => {
  expect(await ask(asked)).toEqual(expected)
  const { data } = await plane.service.from('own').download('kept')
  expect(await data?.text()).toBe('kept')
})

const entities = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Delete><Object><Key>&b;</Key></Object></Delete>`
test.each<[string, string, unknown[]]>([
  ['entities', entities, [400, 'MalformedXML']],
  [
    'a file of the server',
    entities.replace('"aaaa"', 'SYSTEM "file:///etc/passwd"'),
    [400, 'MalformedXML'],
  ],
  ['nesting without end', '<Delete>'.repeat(50_000), [400, 'MalformedXML']],
  ['half a document', '<Delete><Object><Key>kept</Key>', [400, 'MalformedXML']],
  ['another document', '<Other/>', [400, 'MalformedXML']],
  ['a prototype', '<Delete><__proto__><x>1</x></__proto__></Delete>', [400, 'MalformedXML']],
  ['no XML at all', '{}', [400, 'MalformedXML']],
  ['nothing', '', [400, 'MalformedXML']],
  ['3 MB', `<Delete>${' '.repeat(3_000_000)}</Delete>`, [413, 'EntityTooLarge']],
])('XML with %s is refused', async (_, body, expected) => {
  expect(await ask({ method: 'POST', path: '/own', query: 'delete=', body })).toEqual(expected)
})

test('a signed address is good for what it names, for as long as it says', async () => {
  const get = new GetObjectCommand({ Bucket: 'own', Key: 'kept' })
  const url = await getSignedUrl(plane.s3, get, { expiresIn: 60 })
  expect(await (await fetch(url)).text()).toBe('kept')
  const refused = async (address: string, more: RequestInit = {}) => {
    const response = await fetch(address, more)
    return [response.status, codeIn(await response.text())]
  }
  expect(await refused(url.replace('/kept', '/other'))).toEqual(mismatch)
  expect(await refused(url, { method: 'DELETE' })).toEqual(mismatch)
  expect(await refused(url.replace('Expires=60', 'Expires=6000'))).toEqual(mismatch)
  expect(await refused(`${url}&response-content-type=text/html`)).toEqual(mismatch)
  expect(await refused(url.replace('Expires=60', 'Expires=999999'))).toEqual([
    400,
    'AuthorizationQueryParametersError',
  ])
  const signingDate = new Date(Date.now() - 120_000)
  const old = await getSignedUrl(plane.s3, get, { expiresIn: 60, signingDate })
  expect(await refused(old)).toEqual([403, 'AccessDenied'])
  const early = new Date(Date.now() + hour)
  const ahead = await getSignedUrl(plane.s3, get, { expiresIn: 60, signingDate: early })
  expect(await refused(ahead)).toEqual([403, 'RequestTimeTooSkewed'])
  const put = new PutObjectCommand({ Bucket: 'own', Key: 'put' })
  const upload = await getSignedUrl(plane.s3, put, { expiresIn: 60 })
  expect(await refused(upload, { method: 'PUT', body: 'by address' })).toEqual([200, ''])
  const { data } = await plane.service.from('own').download('put')
  expect(await data?.text()).toBe('by address')
})

async function post(
  options: Partial<PresignedPostOptions>,
  change: (fields: Record<string, string>) => void = () => undefined,
  content = 'by form',
) {
  const Conditions = [['content-length-range', 2, 20] as ['content-length-range', number, number]]
  const { url, fields } = await createPresignedPost(plane.s3, {
    Bucket: 'own',
    Key: 'form/${filename}',
    Conditions,
    Expires: 60,
    ...options,
  })
  change(fields)
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([content], { type: 'text/plain' }), 'x.txt')
  const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('a form may what its policy says, and nothing else', async () => {
  const refused = async (...args: Parameters<typeof post>) => {
    const { status, text } = await post(...args)
    return [status, codeIn(text)]
  }
  const denied = [403, 'AccessDenied']
  const messageOf = async (...args: Parameters<typeof post>) =>
    /<Message>(.*)<\/Message>/.exec((await post(...args)).text)?.[1]?.replaceAll('&quot;', '"')
  const against = 'Invalid according to Policy: '
  expect(await messageOf({}, (fields) => (fields['key'] = 'kept'))).toBe(
    `${against}Policy Condition failed: ["starts-with","$key","form/"]`,
  )
  expect(await messageOf({}, (fields) => (fields['x-amz-meta-a'] = '1'))).toBe(
    `${against}Extra input fields: x-amz-meta-a`,
  )
  expect(await messageOf({ Expires: -60 })).toBe(`${against}Policy expired.`)
  expect(await messageOf({}, (fields) => delete fields['Policy'])).toContain(
    'must contain a field named',
  )
  expect(await refused({}, (fields) => (fields['key'] = 'kept'))).toEqual(denied)
  expect(await refused({}, (fields) => (fields['x-amz-meta-a'] = '1'))).toEqual(denied)
  expect(await refused({}, (fields) => delete fields['Policy'])).toEqual(denied)
  expect(await refused({}, (fields) => (fields['Policy'] = btoa('{}')))).toEqual(mismatch)
  expect(await refused({ Expires: -60 })).toEqual(denied)
  // Half a form that was refused does not keep the next one on its connection waiting.
  for (const _ of [1, 2, 3])
    expect(await refused({ Expires: -60 }, undefined, 'x'.repeat(3_000_000))).toEqual(denied)
  expect(await refused({}, undefined, 'x'.repeat(21))).toEqual([413, 'EntityTooLarge'])
  expect(await refused({}, undefined, 'x')).toEqual([400, 'EntityTooSmall'])
  expect(await refused({ Fields: { expires: 'x'.repeat(1025) } })).toEqual([400, 'InvalidArgument'])
  const content = { 'x-amz-meta-a': '1', 'content-disposition': 'inline; a', expires: 'never' }
  const made = await post({ Fields: { success_action_status: '201', ...content } })
  expect(made.status).toBe(201)
  expect(made.text).toContain('<Key>form/x.txt</Key>')
  const { data } = await plane.service.from('own').info('form/x.txt')
  expect(data).toMatchObject({ size: 7, contentType: 'text/plain', metadata: { a: '1' } })
  const { headers: kept } = await plane.ask('/object/own/form/x.txt', { method: 'HEAD' })
  expect([kept.get('content-disposition'), kept.get('expires')]).toEqual(['inline; a', 'never'])
  expect((await post({ Key: 'form/2' })).status).toBe(204)
  const Fields = { success_action_redirect: 'https://example.com/done' }
  const { status, headers } = await post({ Fields })
  expect(status).toBe(303)
  expect(headers.get('location')).toMatch(/^https:\/\/example\.com\/done\?bucket=own&key=form/)
})

test('a session ends with its token; keys of another project and ended ones open nothing', async () => {
  const get = () => new GetObjectCommand({ Bucket: 'own', Key: `${bob}/a` })
  const as = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
    refusalOf(plane.client(credentials).send(get()))
  const expired = plane.token({ role: 'authenticated', sub: bob, exp: 1 })
  expect(await as(plane.session(expired))).toEqual(['InvalidToken', 400])
  expect(await as(plane.session('nonsense'))).toEqual(['InvalidToken', 400])
  const { sessionToken: _, ...without } = plane.session('')
  expect(await as(without)).toEqual(['AccessDenied', 403])
  expect(await as({ ...plane.session(expired), accessKeyId: 'o'.repeat(20) })).toEqual([
    'InvalidAccessKeyId',
    403,
  ])
  expect(await as(plane.full)).toEqual(['NoSuchKey', 404])
  const legacyKeysDisabledAt = new Date().toISOString()
  plane.directory.put({ ...plane.project, storageKeys: [], legacyKeysDisabledAt })
  expect(await as(plane.full)).toEqual(['InvalidAccessKeyId', 403])
  const session = plane.session(plane.token({ role: 'authenticated', sub: bob }))
  expect(await as(session)).toEqual(['InvalidAccessKeyId', 403])
  plane.directory.put(plane.project)
})

test('a project can do without the protocol; while its organization owes, it reads only', async () => {
  const storage = { ...storageSettings, s3Protocol: false }
  plane.directory.put({ ...plane.project, settings: { ...plane.project.settings, storage } })
  expect(await ask({})).toEqual([409, 'FeatureNotEnabled'])
  plane.directory.put({ ...plane.project, restricted: true })
  expect(await ask({})).toEqual([200, ''])
  expect(await ask({ method: 'PUT', path: '/own/owed', body: 'x' })).toEqual([402, 'AccessDenied'])
  plane.directory.put(plane.project)
})

test('at a host name of its own a project is signed for by that name', async () => {
  const address = [{ address: '127.0.0.1', family: 4 }]
  const httpAgent = new Agent({ lookup: (_name, _options, done) => done(null, address) })
  const { port } = new URL(plane.endpoint)
  const endpoint = `http://${plane.project.ref}.s3.test:${port}/storage/v1/s3`
  const s3 = plane.client(plane.full, { endpoint, requestHandler: { httpAgent } })
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'own', Key: 'kept' }))
  expect(await Body?.transformToString()).toBe('kept')
})
