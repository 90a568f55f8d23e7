import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What a model server was asked. */
export type Asked = {
  authorization: string | undefined
  body: {
    model: string
    stream: boolean
    messages: { role: string; content: unknown }[]
    tools?: { function: { name: string } }[]
  }
  /** Settles when the asker went away before the answer ended. */
  left: Promise<void>
}

export type Reply =
  /** Streamed piece by piece, then ended as the protocol says. */
  | { text: string[]; finish?: string }
  | { call: { name: string; arguments: object } }
  | { status: number; error: string; headers?: Record<string, string> }
  /** The pieces, and then the connection is cut. */
  | { cut: string[] }
  /** The pieces, and then a polite end that says nothing of why. */
  | { stopped: string[] }
  /** The pieces, and then silence. */
  | { hang: string[] }

/** A server that speaks the OpenAI protocol for chats and says what a test tells it to. */
export async function startModelServer(first: (asked: Asked, count: number) => Reply) {
  const asked: Asked[] = []
  let answer = first
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const left = new Promise<void>((resolve) => {
        response.once('close', () => {
          if (!response.writableFinished) resolve()
        })
      })
      // The caller is our own client library; what it sends is looked at by the tests.
      const body = JSON.parse(text) as Asked['body']
      const one = { authorization: request.headers.authorization, body, left }
      asked.push(one)
      if (request.url !== '/v1/chat/completions') return response.writeHead(404).end('{}')
      return send(response, answer(one, asked.length))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    answerWith: (next: typeof first) => {
      answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type ModelServerInTests = Awaited<ReturnType<typeof startModelServer>>

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'test',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

function send(response: ServerResponse, reply: Reply): void {
  if ('status' in reply) {
    const headers = { 'content-type': 'application/json', ...reply.headers }
    response.writeHead(reply.status, headers)
    response.end(JSON.stringify({ error: { message: reply.error, type: 'x', code: 'x' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if ('call' in reply) {
    const { name, arguments: values } = reply.call
    const call = {
      index: 0,
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(values) },
    }
    response.write(chunk({ role: 'assistant', content: null, tool_calls: [call] }))
    response.write(chunk({}, 'tool_calls'))
    response.end('data: [DONE]\n\n')
    return
  }
  const pieces = 'text' in reply ? reply.text : 'cut' in reply ? reply.cut : piecesOf(reply)
  for (const content of pieces) response.write(chunk({ role: 'assistant', content }))
  if ('text' in reply) {
    response.write(chunk({}, reply.finish ?? 'stop'))
    response.end('data: [DONE]\n\n')
  } else if ('stopped' in reply) response.end()
  // What was written has to leave before the line is cut.
  else if ('cut' in reply) response.write(': \n\n', () => response.socket?.destroy())
}

const piecesOf = (reply: { stopped: string[] } | { hang: string[] }) =>
  'stopped' in reply ? reply.stopped : reply.hang
