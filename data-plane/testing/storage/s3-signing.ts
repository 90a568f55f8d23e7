import { createHash, createHmac } from 'node:crypto'
import { accessKey, region } from './s3.ts'

export const hash = (text: string) => createHash('sha256').update(text).digest('hex')
export const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest()
export const stamp = (at = Date.now()) => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '')

export type Ask = {
  method?: string
  path?: string
  query?: string
  body?: string
  headers?: Record<string, string>
  /** What is sent is not what is signed. */
  sent?: {
    method?: string
    path?: string
    query?: string
    body?: string
    headers?: Record<string, string>
  }
  key?: { accessKey: string; secretKey: string }
  time?: string
  date?: string
  region?: string
  service?: string
  payload?: string
}

/** A request that was signed by the rules of the protocol, without the code under test. */
export async function ask(endpoint: string, asked: Ask): Promise<[number, string]> {
  const base = new URL(endpoint)
  const { method = 'GET', path = '/own/kept', query = '', body = '', sent = {} } = asked
  const { key = accessKey, time = stamp(), service = 's3', payload = hash(body) } = asked
  const date = asked.date ?? time.slice(0, 8)
  const place = asked.region ?? region
  const headers: Record<string, string> = {
    host: base.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    ...asked.headers,
  }
  const names = Object.keys(headers).toSorted()
  const canonical = [
    method,
    `${base.pathname}${path}`,
    query,
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    payload,
  ].join('\n')
  const scope = `${date}/${place}/${service}/aws4_request`
  const signing = [date, place, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${key.secretKey}`,
  )
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(canonical)].join('\n')
  const signature = hmac(signing, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${key.accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  const address = `${endpoint}${sent.path ?? path}?${sent.query ?? query}`
  const { host: _, ...rest }: Record<string, string> = {
    ...headers,
    authorization,
    ...sent.headers,
  }
  const verb = sent.method ?? method
  const content = verb === 'GET' ? {} : { body: sent.body ?? body }
  const response = await fetch(address, { method: verb, headers: rest, ...content })
  return [response.status, codeIn(await response.text())]
}
export const codeIn = (xml: string) => /<Code>(\w+)<\/Code>/.exec(xml)?.[1] ?? ''
