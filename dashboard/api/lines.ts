import type { Endpoint, Input } from '#contract/endpoint'
import { addressOf } from './address.ts'
import { CallError, texts } from './call-error.ts'
import { send } from './http.ts'

type Extra = { signal?: AbortSignal | undefined; headers?: Record<string, string> }

/**
 * Calls a `raw` endpoint that answers with one JSON value a line, and gives the values as they arrive; `Line` is the
 * type that its contract names. Throws a CallError when it is refused or the connection breaks, and what `signal` throws.
 */
export async function* callLines<Line>(
  endpoint: Endpoint,
  input: Input<Endpoint>,
  extra: Extra = {},
): AsyncGenerator<Line> {
  const { path, body } = addressOf(endpoint, input)
  const response = await send({ method: endpoint.method, path, body, ...extra })
  if (!response.body) return
  try {
    // The server is tested to send what the contract says; the browser does not check it a second time.
    for await (const line of linesOf(response.body)) yield JSON.parse(line) as Line
  } catch (error) {
    if (extra.signal?.aborted) throw error
    const requestId = response.headers.get('x-request-id') ?? undefined
    throw new CallError(texts.network, { code: 0, requestId })
  }
}

/** The lines of a text that arrives in pieces, without empty ones. */
export async function* linesOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = bytes.getReader()
  const decoder = new TextDecoder()
  // Pieces of a line that has not ended yet: joined once, or a long line would be copied with every piece.
  let begun: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // Without a piece the decoder gives what it still holds of a character.
      const piece = done ? decoder.decode() : decoder.decode(value, { stream: true })
      const end = done ? piece.length : piece.lastIndexOf('\n')
      if (end < 0) {
        begun.push(piece)
        continue
      }
      const lines = [...begun, piece.slice(0, end)].join('').split('\n')
      begun = [piece.slice(end + 1)]
      for (const line of lines) if (line) yield line
      if (done) return
    }
  } finally {
    // Whoever stops listening also stops the server.
    await reader.cancel()
  }
}
