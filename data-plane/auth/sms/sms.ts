import { randomUUID } from 'node:crypto'
import type { AuthConfig } from '../config.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import {
  knowsChannel,
  type Sms,
  type SmsChannel,
  type SmsProvider,
  providerUrls,
} from './sms-providers.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { loadUserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import type { SafeFetch } from '#kit/network/safe-fetch'
import {
  checkRequest,
  messageId,
  sendRequest,
  SmsRefused,
  type SmsRequest,
} from './sms-requests.ts'

/** The id of a message that was not sent because its number is a test number. */
const testMessageId = 'test-otp'

/** A message with the user whose code it carries. */
export type UserSms = Sms & { user: UserRow }

/** The service that sends messages and may make the codes; a hook takes its place. */
const providerOf = ({ hooks, smsProvider }: AuthConfig): SmsProvider | undefined =>
  hooks.SEND_SMS ? undefined : smsProvider

/** Who sends the messages of a tenant: its service, else the local outbox; undefined when there is neither. */
export function senderOf(tenant: AuthTenant, fetch: AuthDeps['fetch']): SmsSender | undefined {
  const { keepSms, config } = tenant
  const provider = providerOf(config)
  if (provider) return createSmsSender(provider, fetch)
  if (!keepSms) return undefined
  return {
    async send(sms) {
      await keepSms(sms)
      return randomUUID()
    },
  }
}

/** The code that a number has for testing, as long as test numbers count. */
export function testOtpOf(
  { smsTestOtp, smsTestOtpValidUntil }: AuthConfig,
  phone: string,
  at: Date,
): string | undefined {
  if (smsTestOtpValidUntil && smsTestOtpValidUntil <= at) return undefined
  return Object.hasOwn(smsTestOtp, phone) ? smsTestOtp[phone] : undefined
}

/** Reads test numbers written as `15550001111=123456,15550002222=654321`; what has another form is no test number. */
export function parseTestOtp(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const found = /^\s*\+?([1-9]\d{6,14})\s*[=:]\s*(\d{4,10})\s*$/.exec(pair)
    return found?.[1] && found[2] ? [[found[1], found[2]] as const] : []
  })
  return Object.fromEntries(pairs)
}

/** The channel that a request asks for. */
export function channelOf(config: AuthConfig, asked: string | undefined): SmsChannel {
  const channel = asked || 'sms'
  if ((channel !== 'sms' && channel !== 'whatsapp') || !knowsChannel(providerOf(config), channel)) {
    throw invalid("channel must be 'sms', or 'whatsapp' with a provider that supports it")
  }
  return channel
}

export function createSms({ log, fetch, now }: Pick<AuthDeps, 'log' | 'fetch' | 'now'>) {
  /**
   * Sends a message, by the tenant's hook where it has one, and resolves with its id; 422 `sms_send_failed` when nobody
   * took it. A test number gets none. Call
   * it after the commit: a service may take its time.
   */
  async function send(caller: Caller, { user, ...sms }: UserSms, type = 'verification') {
    const { tenant } = caller
    if (testOtpOf(tenant.config, sms.to, now()) !== undefined) return testMessageId
    if (tenant.config.hooks.SEND_SMS) {
      const smsFields = { otp: sms.otp, phone: sms.to, sms_type: type }
      const payload = { user: await loadUserJson(tenant.pool, user), sms: smsFields }
      await caller.hooks(caller, 'SEND_SMS', payload)
      return randomUUID()
    }
    try {
      const sender = senderOf(tenant, fetch)
      if (!sender) throw new Error('No SMS provider is set')
      return await sender.send(sms)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const provider = tenant.config.smsProvider?.kind ?? 'none'
      log.warn({ tenant: tenant.id, provider, reason }, 'a text message could not be sent')
      throw new AuthError('sms_send_failed')
    }
  }

  return { send }
}

/** Whoever brings text messages to telephones. */
type SmsSender = {
  /** Resolves with the sender's id of the message once it is accepted for delivery; rejects when it was not. */
  send: (sms: Sms) => Promise<string>
  /** Whether a code is right. Only of a sender that makes the codes itself; ours never arrive then. */
  check?: (phone: string, code: string) => Promise<boolean>
}

/** A sender that asks a service on the internet. The limits of `fetch` hold: ten seconds, no private address. */
function createSmsSender(provider: SmsProvider, fetch: SafeFetch): SmsSender {
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
