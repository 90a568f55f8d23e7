import type { NewMail } from '#control-plane/operations/mailbox/store'
import type { SendMail } from '#control-plane/operations/outgoing-mail/outgoing-mail'

type Options = {
  smtpUrl: string | undefined
  from: string
  keepMail: (mail: NewMail) => Promise<void>
}

/** How the platform's own mails leave: by SMTP, or into the mailbox while no mail server is set. */
export function createMailTransport({ smtpUrl, from, keepMail }: Options): {
  send: SendMail
  close(): Promise<void>
} {
  if (!smtpUrl) {
    return {
      send: ({ to, subject, text, html }) =>
        keepMail({ tenant: 'platform', recipient: to, subject, text, html }),
      close: async () => undefined,
    }
  }
  const transport = import('nodemailer').then((mail) => mail.createTransport(smtpUrl, { from }))
  return {
    async send({ to, subject, text, html, replyTo, attachments = [] }) {
      await (
        await transport
      ).sendMail({
        // As an object: an address with a comma in it must not become two.
        to: { name: '', address: to },
        subject,
        text,
        html,
        ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
        attachments: attachments.map(({ filename, contentType, base64 }) => ({
          filename,
          contentType,
          content: Buffer.from(base64, 'base64'),
        })),
      })
    },
    close: async () => (await transport).close(),
  }
}
