import { request as send } from 'node:http'
import { z } from 'zod'
import { actAsHeader } from '#contract/operations/local-admin'
import { localSocket } from '#kit/network/local-socket'

/** What the platform refused, in its own words, or why it could not be asked. */
export class RefusedError extends Error {
  /** It may be otherwise in a moment: nothing answered, or the platform is busy or about to start. */
  readonly passes: boolean
  constructor(
    message: string,
    { passes = false, ...options }: ErrorOptions & { passes?: boolean } = {},
  ) {
    super(message, options)
    this.passes = passes
  }
}

/** A platform somewhere, with an access token; or the one that runs on this home, as its local administrator. */
export type Reach = { url: string; token: string } | { home: string; as: string | undefined }

const Refusal = z.object({ message: z.string() })
/** Answers that say: not now. */
const passing = new Set([429, 500, 502, 503, 504])
type Answer = { status: number; text: string }
type Send = (method: string, path: string, body?: string) => Promise<Answer>

/** Asks the Management API of one platform. @throws RefusedError */
export function createManageClient(reach: Reach) {
  const sends = 'token' in reach ? overNetwork(reach) : overSocket(reach)
  const name = 'token' in reach ? reach.url : `the platform on ${reach.home}`

  return async function ask<S extends z.ZodType>(
    request: string,
    shape: S,
    body?: object,
  ): Promise<z.output<S>> {
    const [method = 'GET', path = '/'] = request.split(' ')
    const { status, text } = await sends(method, path, body && JSON.stringify(body))
    const answer = jsonOf(text)
    if (status >= 200 && status < 300) return shape.parse(answer)
    const reason = Refusal.safeParse(answer).data?.message
    throw new RefusedError(reason ?? `${name} answered ${status}`, {
      passes: passing.has(status),
    })
  }
}
export type Ask = ReturnType<typeof createManageClient>

const json = (body: string | undefined) => (body ? { 'content-type': 'application/json' } : {})

const overNetwork =
  ({ url, token }: { url: string; token: string }): Send =>
  async (method, path, body) => {
    try {
      const response = await fetch(new URL(path, url), {
        method,
        headers: { authorization: `Bearer ${token}`, ...json(body) },
        ...(body ? { body } : {}),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      throw new RefusedError(`nothing answers at ${url}`, { cause: error, passes: true })
    }
  }

const overSocket =
  ({ home, as }: { home: string; as: string | undefined }): Send =>
  async (method, path, body) => {
    try {
      const socketPath = await localSocket(home)
      return await new Promise<Answer>((resolve, reject) => {
        const headers = { ...json(body), ...(as === undefined ? {} : { [actAsHeader]: as }) }
        const request = send({ socketPath, method, path, headers, agent: false }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
          response.on('error', reject)
        })
        request.on('error', reject)
        request.end(body)
      })
    } catch (error) {
      throw new RefusedError(whyNot(error, home), { cause: error, passes: !isDenied(error) })
    }
  }

const isDenied = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'EACCES'

function whyNot(error: unknown, home: string): string {
  if (isDenied(error)) {
    return `this user may not act as the local administrator of ${home}; give an access token with --token or PLINTH_ACCESS_TOKEN`
  }
  return `no platform is running on ${home}: start one with plinth up, or give an access token with --token or PLINTH_ACCESS_TOKEN`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
