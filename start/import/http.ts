import { request, type Dispatcher } from 'undici'
import type { z } from 'zod'
import { RefusedError } from '../manage/manage-client.ts'
import { messageOf } from './connections.ts'

/** The services of a project at one address, with the key that passes every policy. */
export type Api = { url: string; key: string }
/** A service of a project, asked with its service key. */
export const headersOf = ({ key }: Api) => ({
  authorization: `Bearer ${key}`,
  ...(key === '' ? {} : { apikey: key }),
})

type Options = {
  method?: 'GET' | 'POST' | 'PUT' | 'HEAD'
  headers?: Record<string, string>
  body?: Dispatcher.DispatchOptions['body']
}

/** Keys go to the address that was named and to no other: a redirect is an answer like any, and no good one. */
export async function send(
  api: Api,
  path: string,
  { method = 'GET', headers, body }: Options = {},
) {
  try {
    return await request(`${api.url}${path}`, {
      method,
      headers: { ...headersOf(api), ...headers },
      ...(body === undefined ? {} : { body }),
    })
  } catch (error) {
    throw new RefusedError(`nothing answers at ${api.url}: ${messageOf(error)}`, { cause: error })
  }
}

/** What of an answer is read to understand it. */
const maxText = 64 * 1024 * 1024

export async function textOf(answer: Dispatcher.ResponseData): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer.body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxText) {
      answer.body.destroy()
      throw new RefusedError('the source answers with more than can be read')
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

export class AnswerError extends RefusedError {
  readonly status: number
  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The message of a service that refused something. */
export async function refusal(api: Api, answer: Dispatcher.ResponseData): Promise<AnswerError> {
  const text = await textOf(answer)
  const body = jsonOf(text)
  const words =
    typeof body === 'object' && body !== null
      ? Object.entries(body).find(([name]) => ['message', 'msg', 'error'].includes(name))?.[1]
      : undefined
  const why = typeof words === 'string' ? `: ${words.slice(0, 300)}` : ''
  return new AnswerError(`${api.url} answers ${answer.statusCode}${why}`, answer.statusCode)
}

export async function askJson<S extends z.ZodType>(
  api: Api,
  path: string,
  shape: S,
  body?: { method: 'POST' | 'PUT'; json: object },
): Promise<z.output<S>> {
  const answer = await send(api, path, {
    ...(body && {
      method: body.method,
      body: JSON.stringify(body.json),
      headers: { 'content-type': 'application/json' },
    }),
  })
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await refusal(api, answer)
  const read = shape.safeParse(jsonOf(await textOf(answer)))
  if (!read.success) {
    const [place = ''] = path.split('?')
    throw new RefusedError(`${api.url}${place} answers in a form that import does not know`)
  }
  return read.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
