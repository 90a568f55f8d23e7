import type { SafeFetch } from '#kit/network/safe-fetch'
import { providerUrls, type Sms, type SmsProvider } from './sms-providers.ts'
import {
  checkRequest,
  messageId,
  sendRequest,
  SmsRefused,
  type SmsRequest,
} from './sms-requests.ts'

/** Whoever brings text messages to telephones. */
export type SmsSender = {
  /** Resolves with the sender's id of the message once it is accepted for delivery; rejects when it was not. */
  send: (sms: Sms) => Promise<string>
  /** Whether a code is right. Only of a sender that makes the codes itself; ours never arrive then. */
  check?: (phone: string, code: string) => Promise<boolean>
}

/** A sender that asks a service on the internet. The limits of `fetch` hold: ten seconds, no private address. */
export function createSmsSender(provider: SmsProvider, fetch: SafeFetch): SmsSender {
  const base = (provider.url ?? providerUrls[provider.kind]).replace(/\/+$/, '')

  async function post({ path, headers, form }: SmsRequest): Promise<Response> {
    return fetch(base + path, {
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    })
  }

  async function send(sms: Sms): Promise<string> {
    const response = await post(sendRequest(provider, sms))
    if (!response.ok) throw await refusalOf(response)
    return messageId(provider.kind, await response.json())
  }

  if (provider.kind !== 'twilio_verify') return { send }
  return {
    send,
    async check(phone, code) {
      const response = await post(checkRequest(provider, phone, code))
      // It forgets a code that was used or is too old.
      if (response.status === 404) return false
      if (!response.ok) throw await refusalOf(response)
      const answer = (await response.json()) as { status?: unknown; valid?: unknown } | null // any JSON
      return answer?.status === 'approved' && answer.valid === true
    },
  }
}

/** Status and number of an error say enough for a log; its text may quote what we sent. */
async function refusalOf(response: Response): Promise<SmsRefused> {
  const number = /"code":\s*"?(\d{1,6})\b/.exec(await response.text())?.[1]
  const code = number === undefined ? '' : `, code ${number}`
  return new SmsRefused(`The service answered with status ${response.status}${code}`)
}
