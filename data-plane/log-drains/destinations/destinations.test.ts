import { expect, test } from 'vitest'
import { datadogRegions, logDrainTypes } from '#contract/observability/log-drain-shapes'
import type { DrainBatch, DrainEvent } from '../drain-event.ts'
import { awsSignature } from './aws-signature.ts'
import { destinationOf } from './destinations.ts'

const at = Date.parse('2026-03-10T12:00:00Z') * 1000
const ref = 'abcdefghijklmnopqrst'
const event = (id: string, more: Partial<DrainEvent> = {}): DrainEvent => ({
  id,
  timestamp: at + 7,
  source: 'edge_logs',
  level: 'error',
  event_message: 'GET | 500',
  request_id: '5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10',
  attributes: { status: 500, path: '/rest/v1/books' },
  ...more,
})
const batch = (...events: DrainEvent[]): DrainBatch => ({
  owner: { kind: 'project', name: ref },
  events,
  now: at / 1000 + 1000,
})
const textOf = (body: Uint8Array | string) =>
  typeof body === 'string' ? body : Buffer.from(body).toString()

test.each(logDrainTypes)('%s refuses a config that is not its own, and names the field', (type) => {
  expect(() => destinationOf(type, {})).toThrow(/^\w+: /)
  const wrong = { url: 'ftp://example.com', dsn: 'https://example.com', region: 'moon' }
  expect(() => destinationOf(type, wrong)).toThrow(/^\w+: /)
})

test('a webhook gets a JSON array with times to the microsecond, and the headers that are wanted', () => {
  const url = 'https://example.com/in?a=1'
  const { request } = destinationOf('webhook', { url, headers: { 'x-key': 'k' } })
  expect(request(batch(event('a'), event('b', { attributes: {} })))).toEqual({
    url,
    method: 'POST',
    headers: { 'x-key': 'k', 'content-type': 'application/json' },
    gzip: true,
    body:
      '[{"id":"a","timestamp":"2026-03-10T12:00:00.000007Z","source":"edge_logs","level":"error",' +
      '"event_message":"GET | 500","request_id":"5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10",' +
      `"project":"${ref}","attributes":{"status":500,"path":"/rest/v1/books"}},` +
      '{"id":"b","timestamp":"2026-03-10T12:00:00.000007Z","source":"edge_logs","level":"error",' +
      '"event_message":"GET | 500","request_id":"5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10",' +
      `"project":"${ref}","attributes":{}}]`,
  })
  const plain = destinationOf('webhook', { url, gzip: false, http: 'http2' }).request(batch())
  expect(plain).toMatchObject({ gzip: false, http2: true, body: '[]' })
})

test.each(datadogRegions)('Datadog in %s is asked where that region is', (region) => {
  const { url } = destinationOf('datadog', { api_key: 'k', region }).request(batch())
  const sites = {
    US1: 'datadoghq.com',
    'US1-FED': 'ddog-gov.com',
    US3: 'us3.datadoghq.com',
    US5: 'us5.datadoghq.com',
    EU: 'datadoghq.eu',
    AP1: 'ap1.datadoghq.com',
  }
  expect(url).toBe(`https://http-intake.logs.${sites[region]}/api/v2/logs`)
})

test('Datadog gets entries with its own names and the key in a header', () => {
  const { request } = destinationOf('datadog', { api_key: 'k', region: 'EU' })
  const { headers, body, gzip } = request(batch(event('a')))
  expect(headers).toEqual({ 'dd-api-key': 'k', 'content-type': 'application/json' })
  expect(gzip).toBe(true)
  expect(textOf(body)).toBe(
    `[{"ddsource":"plinth","ddtags":"source:edge_logs,project:${ref}","hostname":"${ref}",` +
      '"service":"edge","status":"error","message":"GET | 500",' +
      '"timestamp":"2026-03-10T12:00:00.000007Z","id":"a",' +
      '"request_id":"5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10",' +
      '"attributes":{"status":500,"path":"/rest/v1/books"}}]',
  )
})

test.each([
  'https://l.example.com',
  'https://l.example.com/',
  'https://l.example.com/loki/api/v1/push',
])('Loki at %s gets a stream for each source, in order, with nanoseconds', (url) => {
  const { request } = destinationOf('loki', { url, username: 'u', password: 'p:q' })
  const asked = request(
    batch(
      event('late', { timestamp: at + 9, attributes: {} }),
      event('other', { source: 'auth_logs', attributes: {} }),
      event('early', { timestamp: at + 8, attributes: {} }),
    ),
  )
  expect(asked.url).toBe('https://l.example.com/loki/api/v1/push')
  expect(asked.headers['authorization']).toBe(`Basic ${btoa('u:p:q')}`)
  const line = (id: string) =>
    `{"id":"${id}","level":"error","event_message":"GET | 500",` +
    '"request_id":"5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10","attributes":{}}'
  expect(JSON.parse(textOf(asked.body))).toEqual({
    streams: [
      {
        stream: { source: 'auth_logs', project: ref, service: 'auth' },
        values: [[`${at + 7}000`, line('other')]],
      },
      {
        stream: { source: 'edge_logs', project: ref, service: 'edge' },
        values: [
          [`${at + 8}000`, line('early')],
          [`${at + 9}000`, line('late')],
        ],
      },
    ],
  })
})

test('Loki without a user gets no authorization, and headers that are wanted', () => {
  const config = { url: 'https://l.example.com', headers: { 'x-scope-orgid': 'one' } }
  expect(destinationOf('loki', config).request(batch()).headers).toEqual({
    'x-scope-orgid': 'one',
    'content-type': 'application/json',
  })
})

test('Sentry gets an envelope of three lines, and each entry in a trace', () => {
  const dsn = 'https://key@o1.ingest.example.com/base/42'
  const { request, most } = destinationOf('sentry', { dsn })
  expect(most).toBe(100)
  const trace = 'ab'.repeat(16)
  const none = event('c', {
    level: 'warning',
    trace_id: trace,
    attributes: { a: { b: [1] }, n: null },
  })
  delete none.request_id
  const { url, headers, body } = request(
    batch(event('a', { attributes: { x: 0.5, y: true } }), none),
  )
  expect(url).toBe('https://o1.ingest.example.com/base/api/42/envelope/')
  expect(headers['x-sentry-auth']).toBe(
    'Sentry sentry_version=7, sentry_client=plinth/1.0, sentry_key=key',
  )
  const text = (value: string) => ({ value, type: 'string' })
  expect(textOf(body).split('\n')).toEqual([
    '{"sent_at":"2026-03-10T12:00:01.000Z"}',
    '{"type":"log","item_count":2,"content_type":"application/vnd.sentry.items.log+json"}',
    JSON.stringify({
      items: [
        {
          timestamp: (at + 7) / 1e6,
          trace_id: '5ac3ae2e6fba4a4a8c3b0d0f7b5e9f10',
          level: 'error',
          severity_number: 17,
          body: 'GET | 500',
          attributes: {
            x: { value: 0.5, type: 'double' },
            y: { value: true, type: 'boolean' },
            id: text('a'),
            source: text('edge_logs'),
            project: text(ref),
            request_id: text('5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10'),
          },
        },
        {
          timestamp: (at + 7) / 1e6,
          trace_id: trace,
          level: 'warn',
          severity_number: 13,
          body: 'GET | 500',
          attributes: {
            a: text('{"b":[1]}'),
            id: text('c'),
            source: text('edge_logs'),
            project: text(ref),
          },
        },
      ],
    }),
    '',
  ])
})

test('Axiom gets its time field, and the token in a header', () => {
  const { request } = destinationOf('axiom', { api_token: 't', dataset_name: 'a b/c' })
  const { url, headers, body } = request(batch(event('a', { attributes: {} })))
  expect(url).toBe('https://api.axiom.co/v1/datasets/a%20b%2Fc/ingest')
  expect(headers['authorization']).toBe('Bearer t')
  expect(textOf(body)).toBe(
    '[{"_time":"2026-03-10T12:00:00.000007Z","id":"a","source":"edge_logs","level":"error",' +
      '"event_message":"GET | 500","request_id":"5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10",' +
      `"project":"${ref}","attributes":{}}]`,
  )
  const elsewhere = { api_token: 't', dataset_name: 'd', domain: 'axiom.example.com' }
  expect(destinationOf('axiom', elsewhere).request(batch()).url).toBe(
    'https://axiom.example.com/v1/datasets/d/ingest',
  )
})

/** A field of a message, by its number: text or bytes with their length in front. */
const field = (number: number, ...parts: (string | Buffer)[]): Buffer => {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  )
  const { length } = bytes
  const size = length < 128 ? [length] : [(length & 127) | 128, length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...size]), bytes])
}
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

test('OTLP gets protocol buffers: a resource for each service, severities, and the trace as bytes', () => {
  const config = { endpoint: 'https://o.example.com/', headers: { 'x-key': 'k' } }
  const trace = '0123456789abcdef0123456789abcdef'
  const attributes = { n: 300, d: 0.5, yes: true, list: ['x'], none: null }
  const { url, headers, body } = destinationOf('otlp', config).request(
    batch(event('a', { trace_id: trace, attributes })),
  )
  expect(url).toBe('https://o.example.com/v1/logs')
  expect(headers).toEqual({ 'x-key': 'k', 'content-type': 'application/x-protobuf' })
  const text = (key: string, value: string) => [field(1, key), field(2, field(1, value))]
  const resource = field(
    1,
    field(1, ...text('service.name', 'edge')),
    field(1, ...text('plinth.project', ref)),
  )
  const time = Buffer.alloc(16)
  time.writeBigUInt64LE(BigInt(at + 7) * 1000n)
  time.writeBigUInt64LE(BigInt(at + 1_000_000) * 1000n, 8)
  const record = field(
    2,
    Buffer.concat([hex('09'), time.subarray(0, 8)]),
    hex('10 11'),
    field(3, 'ERROR'),
    field(5, field(1, 'GET | 500')),
    field(6, ...text('id', 'a')),
    field(6, ...text('source', 'edge_logs')),
    field(6, ...text('request_id', '5ac3ae2e-6fba-4a4a-8c3b-0d0f7b5e9f10')),
    // 300 as two groups of seven bits; 0.5 as a double; true.
    field(6, field(1, 'n'), field(2, hex('18 ac 02'))),
    field(6, field(1, 'd'), field(2, hex('21 00 00 00 00 00 00 e0 3f'))),
    field(6, field(1, 'yes'), field(2, hex('10 01'))),
    field(6, field(1, 'list'), field(2, field(5, field(1, field(1, 'x'))))),
    field(9, hex(trace)),
    Buffer.concat([hex('59'), time.subarray(8)]),
  )
  const expected = field(1, resource, field(2, field(1, field(1, 'plinth')), record))
  expect(Buffer.from(body).toString('hex')).toBe(expected.toString('hex'))
})

test('OTLP writes negative numbers and nested values as its types have them', () => {
  const { request } = destinationOf('otlp', {
    endpoint: 'https://o.example.com/v1/logs',
    gzip: false,
  })
  const { url, gzip, body } = request(batch(event('a', { attributes: { m: { k: -1 } } })))
  expect([url, gzip]).toEqual(['https://o.example.com/v1/logs', false])
  const value = field(
    2,
    field(6, field(1, field(1, 'k'), field(2, hex('18 ffffffffffffffffff01')))),
  )
  expect(Buffer.from(body).includes(Buffer.concat([field(1, 'm'), value]))).toBe(true)
})

const s3 = {
  s3_bucket: 'logs',
  storage_region: 'eu-central-1',
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'secret',
}
test('S3 gets an object of lines that is named by its first entry, and the same name again', () => {
  const { request } = destinationOf('s3', { ...s3, prefix: '/a/b-c/' })
  const first = request(batch(event('a'), event('b')))
  expect(first.url).toBe(
    `https://logs.s3.eu-central-1.amazonaws.com/a/b-c/${ref}/2026/03/10/120000-a.json.gz`,
  )
  expect([first.method, first.gzip]).toEqual(['PUT', 'file'])
  const lines = textOf(first.body).split('\n')
  expect(lines).toHaveLength(3)
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 'b', project: ref })
  expect(request({ ...batch(event('a')), now: at / 1000 + 99_000 }).url).toBe(first.url)
})

test('S3 reaches buckets with dots and other storages by their path', () => {
  const url = (more: object) =>
    destinationOf('s3', { ...s3, ...more }).request(batch(event('a'))).url
  const name = `${ref}/2026/03/10/120000-a.json.gz`
  expect(url({ s3_bucket: 'a.b' })).toBe(`https://s3.eu-central-1.amazonaws.com/a.b/${name}`)
  expect(url({ endpoint: 'https://s.example.com/x/' })).toBe(`https://s.example.com/x/logs/${name}`)
})

test('a request to S3 is signed as its documentation has it', () => {
  // The example "PUT Object" of the documentation of signature version 4.
  const signed = awsSignature({
    method: 'PUT',
    url: 'https://examplebucket.s3.amazonaws.com/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    body: Buffer.from('Welcome to Amazon S3.'),
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    now: Date.parse('2013-05-24T00:00:00Z'),
  })
  expect(signed['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  )
})
