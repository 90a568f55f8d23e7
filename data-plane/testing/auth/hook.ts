import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { Hook } from '../../auth/config.ts'
import { end, listen } from './oidc.ts'

export type HookRequest = { headers: Record<string, string>; text: string; body: HookBody }
/** What hooks are told; a test knows which of these its hook gets. */
export type HookBody = {
  metadata: Record<string, unknown>
  user_id?: string
  user: Record<string, unknown>
  claims: Record<string, unknown>
  email_data: Record<string, string>
  sms: Record<string, string>
}
type Answer = {
  status?: number
  body?: unknown
  /** Instead of JSON of the body. */
  text?: string
  headers?: Record<string, string>
}

/** 32 bytes, as they stand in a secret. */
export const hookSecret = Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')
export const otherSecret = Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')

/** A server that notes what it is asked and answers as the test says; undefined never answers. */
export async function startHookServer() {
  const asked: HookRequest[] = []
  const state: { answer: (request: HookRequest) => Answer | undefined } = {
    answer: () => ({ body: {} }),
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString()
      // The headers of interest are there once; the body is what this service sends.
      const headers = request.headers as Record<string, string>
      const noted = { headers, text, body: JSON.parse(text) as HookBody }
      asked.push(noted)
      const answer = state.answer(noted)
      if (!answer) return
      const type = { 'content-type': 'application/json' }
      response.writeHead(answer.status ?? 200, answer.headers ?? type)
      response.end(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)))
    })
  })
  const url = `${await listen(server)}/hook`
  return Object.assign(state, {
    asked,
    url,
    hook: { kind: 'http', url, secrets: [hookSecret] } as Hook,
    close: () => {
      server.closeAllConnections()
      return end(server)
    },
  })
}
export type HookServer = Awaited<ReturnType<typeof startHookServer>>

/** What a receiver works out to compare with, by the standard: id, time and body with dots between. */
export function expectedSignature(secret: string, { headers, text }: HookRequest, body = text) {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(content)
  return `v1,${mac.digest('base64')}`
}
