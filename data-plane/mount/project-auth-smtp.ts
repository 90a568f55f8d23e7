import { isIP } from 'node:net'
import { publicAddressOf } from '#kit/network/public-address'
import type { Mail } from '../auth/mail/mailer.ts'
import type { OwnMailServer } from './project-auth-config.ts'

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/**
 * Hands mails to the mail server of a project. Its name is looked up for each mail and must stand for a public address:
 * whoever has a project must not reach servers of the inner network through us.
 */
export const postTo =
  ({ host, port, user, password, sender }: OwnMailServer, reachesLoopback: boolean) =>
  async ({ to, subject, html, text }: Mail): Promise<void> => {
    const address = await publicAddressOf(host, reachesLoopback)
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      ...patience,
      host: address,
      port,
      // On this port TLS begins with the first byte; elsewhere the server is asked for it.
      secure: port === 465,
      ...(user !== '' && { auth: { user, pass: password } }),
      // The certificate is for the name, not for the address that was looked up.
      ...(isIP(host) === 0 && { tls: { servername: host } }),
    })
    try {
      const reader = { name: '', address: to }
      await transport.sendMail({ from: sender, to: reader, subject, html, text })
    } finally {
      transport.close()
    }
  }
