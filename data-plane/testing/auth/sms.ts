import { createServer } from 'node:http'
import { expect } from 'vitest'
import { end, listen } from './oidc.ts'
import type { SmsProvider } from '../../auth/sms/sms-providers.ts'

type Asked = {
  path: string
  authorization: string | undefined
  type: string | undefined
  form: Record<string, string>
}

export type TestSmsService = {
  url: string
  /** What it was asked, oldest first. */
  asked: Asked[]
  /** What it answers next; without an answer a request never comes to an end. */
  answers: { status: number; body: unknown }[]
  close(): Promise<void>
}

/** A server that notes what it is asked and answers as the test says, on a free port of this machine. */
export async function startSmsService(): Promise<TestSmsService> {
  const state: Pick<TestSmsService, 'asked' | 'answers'> = { asked: [], answers: [] }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { authorization, 'content-type': type } = request.headers
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString()))
      state.asked.push({ path: request.url ?? '', authorization, type, form })
      const answer = state.answers.shift()
      if (!answer) return
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer.body))
    })
  })
  const url = await listen(server)
  const close = () => {
    server.closeAllConnections()
    return end(server)
  }
  return Object.assign(state, { url, close })
}

/** What every service is told of its tenant, and how it says that it took a message. */
export const services: {
  provider: SmsProvider
  path: string
  authorization?: string
  form: (to: string) => Record<string, unknown>
  taken: unknown
  id: string
  refusals: { status: number; body: unknown }[]
}[] = [
  {
    provider: { kind: 'twilio', accountSid: 'AC1', authToken: 'secret', messageServiceSid: 'MG1' },
    path: '/2010-04-01/Accounts/AC1/Messages.json',
    authorization: `Basic ${Buffer.from('AC1:secret').toString('base64')}`,
    form: (to) => ({
      To: `+${to}`,
      MessagingServiceSid: 'MG1',
      Body: expect.stringMatching(/ \d{6}$/),
    }),
    taken: { sid: 'SM1', status: 'queued', error_code: null },
    id: 'SM1',
    refusals: [
      { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } },
      { status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30007 } },
      { status: 201, body: {} },
    ],
  },
  {
    provider: {
      kind: 'twilio_verify',
      accountSid: 'AC2',
      authToken: 'secret',
      messageServiceSid: 'VA1',
    },
    path: '/v2/Services/VA1/Verifications',
    authorization: `Basic ${Buffer.from('AC2:secret').toString('base64')}`,
    form: (to) => ({ To: `+${to}`, Channel: 'sms' }),
    taken: { sid: 'VE1', status: 'pending', valid: false },
    id: 'VE1',
    refusals: [{ status: 429, body: { code: 60203, message: 'Max send attempts reached' } }],
  },
  {
    provider: { kind: 'messagebird', accessKey: 'key', originator: 'Shop' },
    path: '/messages',
    authorization: 'AccessKey key',
    form: (to) => ({
      recipients: to,
      originator: 'Shop',
      body: expect.stringMatching(/ \d{6}$/),
      type: 'sms',
      datacoding: 'auto',
    }),
    taken: { id: 'mb1', recipients: { totalSentCount: 1 } },
    id: 'mb1',
    refusals: [
      { status: 422, body: { errors: [{ code: 9, description: 'no (correct) recipients' }] } },
      { status: 201, body: { id: 'mb1', recipients: { totalSentCount: 0 } } },
    ],
  },
  {
    provider: { kind: 'vonage', apiKey: 'key', apiSecret: 'secret', from: 'Shop' },
    path: '/sms/json',
    form: (to) => ({
      to,
      from: 'Shop',
      text: expect.stringMatching(/ \d{6}$/),
      api_key: 'key',
      api_secret: 'secret',
      type: 'text',
    }),
    taken: { 'message-count': '1', messages: [{ status: '0', 'message-id': 'vo1' }] },
    id: 'vo1',
    refusals: [
      { status: 200, body: { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] } },
      { status: 200, body: { messages: [] } },
    ],
  },
  {
    provider: { kind: 'textlocal', apiKey: 'key', sender: 'Shop' },
    path: '/send/',
    form: (to) => ({
      numbers: to,
      sender: 'Shop',
      apikey: 'key',
      message: expect.stringMatching(/ \d{6}$/),
    }),
    taken: { status: 'success', messages: [{ id: 7, recipient: 49 }] },
    id: '7',
    refusals: [
      { status: 200, body: { status: 'failure', errors: [{ code: 3, message: 'Invalid login' }] } },
    ],
  },
]
