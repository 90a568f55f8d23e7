import { internal } from '#contract/internal-api'
import { mailbox as api } from '#contract/operations/mailbox'
import { ApiError } from '#kit/errors'
import { implementOpen } from '#kit/http'
import type { MailStore } from './store.ts'

/**
 * The local mailbox. Whoever reaches this server can read it, so it exists only while the server listens on loopback
 * alone and no mail server is set (`enabled`).
 */
export const mailboxRoutes = (store: MailStore, enabled: boolean) => [
  implementOpen(api.list, async ({ limit, recipient }) => {
    if (!enabled) throw new ApiError('not_found')
    return store.list(limit, recipient)
  }),
  implementOpen(internal.mail, async (mail) => {
    if (enabled) await store.insert(mail)
    return { kept: enabled }
  }),
]
