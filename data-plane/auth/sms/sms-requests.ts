import { z } from 'zod'
import type { ProviderOf, Sms, SmsProvider } from './sms-providers.ts'

/** What is posted to a service, as a form; `path` is below its address. */
export type SmsRequest = {
  path: string
  headers?: Record<string, string>
  form: Record<string, string>
}

/** The refusal of a service, in its words; they never hold a message or a number that we sent. */
export class SmsRefused extends Error {}

const basic = (name: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})

function twilioForm(
  { messageServiceSid: from, contentSid }: ProviderOf<'twilio'>,
  { to, channel, text, otp }: Sms,
): Record<string, string> {
  const prefix = channel === 'whatsapp' ? 'whatsapp:' : ''
  const number = /^[1-9]\d{6,14}$/.test(from) ? `+${from}` : from
  // WhatsApp takes a first message only as a template that was approved before.
  const template = channel === 'whatsapp' ? contentSid : undefined
  return {
    To: `${prefix}+${to}`,
    ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: prefix + number }),
    ...(template
      ? { ContentSid: template, ContentVariables: JSON.stringify({ 1: otp }) }
      : { Body: text }),
  }
}

/** The request by which a service sends a message. */
export function sendRequest(provider: SmsProvider, sms: Sms): SmsRequest {
  const { to, text, channel } = sms
  switch (provider.kind) {
    case 'twilio': {
      const path = `/2010-04-01/Accounts/${encodeURIComponent(provider.accountSid)}/Messages.json`
      const headers = basic(provider.accountSid, provider.authToken)
      return { path, headers, form: twilioForm(provider, sms) }
    }
    case 'twilio_verify': {
      const path = `${verifyService(provider)}/Verifications`
      const headers = basic(provider.accountSid, provider.authToken)
      return { path, headers, form: { To: `+${to}`, Channel: channel } }
    }
    case 'messagebird': {
      const headers = { authorization: `AccessKey ${provider.accessKey}` }
      const form = { originator: provider.originator, body: text, recipients: to, type: 'sms' }
      return { path: '/messages', headers, form: { ...form, datacoding: 'auto' } }
    }
    case 'textlocal': {
      const { sender, apiKey: apikey } = provider
      return { path: '/send/', form: { sender, apikey, message: text, numbers: to } }
    }
    case 'vonage': {
      const { from, apiKey, apiSecret } = provider
      const form = { from, to, text, api_key: apiKey, api_secret: apiSecret }
      // Outside of ASCII its default alphabet loses letters.
      const type = Array.from(text).every((char) => char < '\u0080') ? 'text' : 'unicode'
      return { path: '/sms/json', form: { ...form, type } }
    }
  }
}

/** The request by which Twilio Verify checks a code that it made. */
export function checkRequest(
  provider: ProviderOf<'twilio_verify'>,
  phone: string,
  code: string,
): SmsRequest {
  const headers = basic(provider.accountSid, provider.authToken)
  const form = { To: `+${phone}`, Code: code }
  return { path: `${verifyService(provider)}/VerificationCheck`, headers, form }
}

const verifyService = ({ messageServiceSid }: ProviderOf<'twilio_verify'>) =>
  `/v2/Services/${encodeURIComponent(messageServiceSid)}`

const twilio = z.object({ sid: z.string(), status: z.string().default('') })

const answers = {
  twilio,
  twilio_verify: twilio,
  messagebird: z.object({ id: z.string(), recipients: z.object({ totalSentCount: z.number() }) }),
  textlocal: z.object({
    status: z.string(),
    messages: z.array(z.object({ id: z.coerce.string() })).default([]),
  }),
  vonage: z.object({
    messages: z
      .array(z.object({ status: z.coerce.string(), 'message-id': z.string().default('') }))
      .min(1),
  }),
}

/** The service's id of a message that it took. Some refuse with status 200, so the answer itself decides. */
export function messageId(kind: SmsProvider['kind'], answer: unknown): string {
  const parsed = answers[kind].safeParse(answer)
  if (!parsed.success) throw new SmsRefused('The answer is not understood')
  const taken = read(parsed.data)
  if (taken === undefined) throw new SmsRefused('The message was not taken')
  return taken
}

function read(answer: z.output<(typeof answers)[keyof typeof answers]>): string | undefined {
  if ('sid' in answer) {
    return /^(failed|undelivered|canceled)$/.test(answer.status) ? undefined : answer.sid
  }
  if ('recipients' in answer) return answer.recipients.totalSentCount > 0 ? answer.id : undefined
  if ('status' in answer) {
    return answer.status === 'success' ? (answer.messages[0]?.id ?? '') : undefined
  }
  const [first] = answer.messages
  return first?.status === '0' ? first['message-id'] : undefined
}
