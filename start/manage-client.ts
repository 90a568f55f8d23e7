import { z } from 'zod'

/** What the platform refused, in its own words, or why it could not be asked. */
export class RefusedError extends Error {}

const Refusal = z.object({ message: z.string() })

/** Asks the Management API of one platform as whoever the token stands for. @throws RefusedError */
export function createManageClient({ url, token }: { url: string; token: string }) {
  return async function ask<S extends z.ZodType>(
    request: string,
    shape: S,
    body?: object,
  ): Promise<z.output<S>> {
    const [method = 'GET', path = '/'] = request.split(' ')
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: unknown) => {
      throw new RefusedError(`nothing answers at ${url}`, { cause: error })
    })
    const text = await response.text()
    const answer = jsonOf(text)
    if (response.ok) return shape.parse(answer)
    const words = Refusal.safeParse(answer).data?.message
    throw new RefusedError(words ?? `${url} answered ${response.status}`)
  }
}
export type Ask = ReturnType<typeof createManageClient>

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
