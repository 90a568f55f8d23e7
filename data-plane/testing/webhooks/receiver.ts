import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Heard = { url: string; headers: IncomingHttpHeaders; body: string }
export type Answer = { status: number; headers?: Record<string, string>; body?: string }

/** Somebody on this machine who is called, keeps what came, and answers as the test says. */
export async function startReceiver() {
  const heard: Heard[] = []
  let answer: (call: Heard, before: number) => Answer | Promise<Answer> = () => ({ status: 200 })
  const atOnce = new Map<string, number>()
  const most = new Map<string, number>()
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const call = { url: request.url ?? '', headers: request.headers, body }
      const before = heard.filter(({ url }) => url === call.url).length
      heard.push(call)
      const now = (atOnce.get(call.url) ?? 0) + 1
      atOnce.set(call.url, now)
      most.set(call.url, Math.max(most.get(call.url) ?? 0, now))
      const { status, headers = {}, body: said = 'thanks' } = await answer(call, before)
      atOnce.set(call.url, (atOnce.get(call.url) ?? 0) - 1)
      response.writeHead(status, headers).end(said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    bodies: (): unknown[] => heard.map(({ body }): unknown => JSON.parse(body)),
    /** `before`: how often this address was called before. */
    answers: (how: typeof answer) => {
      answer = how
    },
    /** Calls of an address that have waited for their answer at once. */
    most: (url: string) => most.get(url) ?? 0,
    forget: () => {
      heard.splice(0)
      most.clear()
      answer = () => ({ status: 200 })
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
