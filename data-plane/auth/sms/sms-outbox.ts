import { escapeHtml } from '../mail/mail-templates.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Sms } from './sms-providers.ts'

/** A text message as the local mailbox keeps it: beside the mails, found by the number as people write it (`+49...`). */
export function mailOfSms({ to, channel, text }: Sms): Omit<Mail, 'kind'> {
  const subject = channel === 'whatsapp' ? 'WhatsApp message' : 'Text message'
  return { to: `+${to}`, subject, text, html: `<p>${escapeHtml(text)}</p>` }
}
