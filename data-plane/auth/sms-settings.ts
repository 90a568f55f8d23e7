import { z } from 'zod'
import { parseTestOtp } from './sms.ts'

const text = z.string().min(1)
const url = z.url().optional()

const SmsProvider = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('twilio'),
    url,
    accountSid: text,
    authToken: text,
    messageServiceSid: text,
    contentSid: text.optional(),
  }),
  z.object({
    kind: z.literal('twilio_verify'),
    url,
    accountSid: text,
    authToken: text,
    messageServiceSid: text,
  }),
  z.object({ kind: z.literal('messagebird'), url, accessKey: text, originator: text }),
  z.object({ kind: z.literal('textlocal'), url, apiKey: text, sender: text }),
  z.object({ kind: z.literal('vonage'), url, apiKey: text, apiSecret: text, from: text }),
])

/** What can be set of phone numbers from outside; each becomes the setting of the same name. */
export const smsSettings = {
  phoneEnabled: z.boolean().default(false),
  smsAutoconfirm: z.boolean().default(false),
  smsProvider: SmsProvider.optional(),
  smsTemplate: text.max(1000).default('Your code is {{ .Code }}'),
  smsOtpLength: z.number().int().min(6).max(10).default(6),
  smsOtpExpirySeconds: z.number().int().min(1).max(86_400).default(3600),
  smsIntervalSeconds: z.number().int().min(0).default(60),
  /** `15550001111=123456`, with commas between them. */
  smsTestOtp: z.string().default('').transform(parseTestOtp),
  smsTestOtpValidUntil: z
    .union([z.literal(''), z.iso.datetime({ offset: true })])
    .optional()
    .transform((at) => (at ? new Date(at) : undefined)),
}
