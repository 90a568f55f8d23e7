/** How a text message travels. Not every service knows both. */
export type SmsChannel = 'sms' | 'whatsapp'

/** A finished text message for one telephone. */
export type Sms = {
  /** Digits without the leading plus. */
  to: string
  channel: SmsChannel
  text: string
  /** The code in the text, for services that have templates of their own. */
  otp: string
}

/** A service that sends text messages, as a tenant configures it: what it is called, and the tenant's account there. */
export type SmsProvider = {
  /** Address of its API; only accounts of certain regions have another than the usual one. */
  url?: string | undefined
} & (
  | {
      kind: 'twilio'
      accountSid: string
      authToken: string
      /** A messaging service (`MG...`), or the number or name that messages come from. */
      messageServiceSid: string
      /** The template of WhatsApp messages; its first variable is the code. */
      contentSid?: string | undefined
    }
  | {
      kind: 'twilio_verify'
      accountSid: string
      authToken: string
      /** The Verify service (`VA...`). It makes the codes and checks them itself. */
      messageServiceSid: string
    }
  | { kind: 'messagebird'; accessKey: string; originator: string }
  | { kind: 'textlocal'; apiKey: string; sender: string }
  | { kind: 'vonage'; apiKey: string; apiSecret: string; from: string }
)

type Kind = SmsProvider['kind']
/** The settings of one kind of service. */
export type ProviderOf<K extends Kind> = Extract<SmsProvider, { kind: K }>

/** Where each service listens, unless the tenant says otherwise. */
export const providerUrls: Record<Kind, string> = {
  twilio: 'https://api.twilio.com',
  twilio_verify: 'https://verify.twilio.com',
  messagebird: 'https://rest.messagebird.com',
  textlocal: 'https://api.textlocal.in',
  vonage: 'https://rest.nexmo.com',
}

/** Who can reach people in WhatsApp. */
export function knowsChannel(provider: SmsProvider | undefined, channel: SmsChannel): boolean {
  if (channel === 'sms' || !provider) return true
  return provider.kind === 'twilio' || provider.kind === 'twilio_verify'
}
