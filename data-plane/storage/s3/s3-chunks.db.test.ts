import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessKey, region, startS3, type S3Plane } from '../../testing/storage/s3.ts'
import { ask, codeIn, hash, hmac, stamp } from '../../testing/storage/s3-signing.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const mismatch = [403, 'SignatureDoesNotMatch']

/** A body in chunks, as the protocol signs them; `break` says what is wrong with it. */
async function chunked(broken: string): Promise<[number, string]> {
  const [time, bytes] = [stamp(), 'chunk of bytes']
  const signed = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'
  const crc = broken === 'a wrong sum' ? 'AAAAAA==' : '8fCW1Q=='
  const trailer = broken === 'no trailer' ? '' : `x-amz-checksum-crc32:${crc}\r\n`
  const end = broken === 'no end' ? '' : `0\r\n${trailer}\r\n`
  const size = broken === 'a wrong size' ? 'zz' : bytes.length.toString(16)
  const more = broken === 'more behind the end' ? 'x' : ''
  const body = `${size}\r\n${bytes}\r\n${end}${more}`
  const length = broken === 'another length' ? 9 : bytes.length
  return ask(plane.endpoint, {
    method: 'PUT',
    path: '/own/chunked',
    payload: signed,
    time,
    body,
    headers: {
      'content-encoding': 'aws-chunked',
      'x-amz-trailer': broken === 'a strange trailer' ? 'x-amz-other' : 'x-amz-checksum-crc32',
      ...(broken === 'no length' ? {} : { 'x-amz-decoded-content-length': String(length) }),
    },
  })
}
test('a body in chunks with its sum behind it is taken', async () => {
  expect(await chunked('')).toEqual([200, ''])
  await plane.service.from('own').remove(['chunked'])
})

test.each<[string, unknown[]]>([
  ['no trailer', [400, 'MalformedTrailerError']],
  ['a strange trailer', [400, 'MalformedTrailerError']],
  ['a wrong sum', [400, 'BadDigest']],
  ['no end', [400, 'IncompleteBody']],
  ['a wrong size', [400, 'InvalidChunkSizeError']],
  ['more behind the end', [400, 'InvalidChunkSizeError']],
  ['another length', [400, 'IncompleteBody']],
  ['no length', [411, 'MissingContentLength']],
])('a body in chunks with %s is refused, and nothing is kept', async (broken, expected) => {
  expect(await chunked(broken)).toEqual(expected)
  expect((await plane.service.from('own').exists('chunked')).data).toBe(false)
})

test('signed chunks are taken as long as each is signed behind the one before', async () => {
  const send = (flaw: string) => signedChunks(plane.endpoint, flaw)
  expect(await send('')).toEqual([200, ''])
  const { data } = await plane.service.from('own').download('signed')
  expect(await data?.text()).toBe('first and second')
  for (const flaw of ['other bytes', 'other order', 'unsigned', 'trailer'])
    expect([flaw, ...(await send(flaw))]).toEqual([flaw, ...mismatch])
})

async function signedChunks(endpoint: string, flaw: string): Promise<[number, string]> {
  const payload = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER'
  const [time, { host, pathname }] = [stamp(), new URL(endpoint)]
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const signing = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${accessKey.secretKey}`)
  const headers: Record<string, string> = {
    host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    'x-amz-decoded-content-length': '16',
    'x-amz-trailer': 'x-amz-checksum-sha256',
  }
  const names = Object.keys(headers)
  const lines = names.map((name) => `${name}:${headers[name]}`)
  const canonical = ['PUT', `${pathname}/own/signed`, '', ...lines, '', names.join(';'), payload]
  const sign = (...text: string[]) => hmac(signing, text.join('\n')).toString('hex')
  const seed = sign('AWS4-HMAC-SHA256', time, scope, hash(canonical.join('\n')))
  let before = seed
  const next = (kind: string, ...content: string[]) =>
    (before = sign(`AWS4-HMAC-SHA256-${kind}`, time, scope, before, ...content))
  const parts = ['first and ', 'second', '']
  const sum = createHash('sha256').update('first and second').digest('base64')
  const chunks = parts.map((part) => {
    const signature = next('PAYLOAD', hash(''), hash(part))
    const extension = flaw === 'unsigned' ? '' : `;chunk-signature=${signature}`
    return `${part.length.toString(16)}${extension}\r\n${part}${part === '' ? '' : '\r\n'}`
  })
  const trailer = next('TRAILER', hash(`x-amz-checksum-sha256:${sum}\n`))
  if (flaw === 'other order') chunks.splice(0, 2, chunks[1] ?? '', chunks[0] ?? '')
  if (flaw === 'other bytes') chunks[0] = chunks[0]?.replace('first', 'worst') ?? ''
  const end = flaw === 'trailer' ? trailer.replaceAll(/\d/g, '0') : trailer
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey.accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${seed}`
  const { host: _, ...sent } = headers
  const response = await fetch(`${endpoint}/own/signed`, {
    method: 'PUT',
    headers: { ...sent, authorization },
    body: `${chunks.join('')}x-amz-checksum-sha256:${sum}\r\nx-amz-trailer-signature:${end}\r\n\r\n`,
  })
  return [response.status, codeIn(await response.text())]
}
