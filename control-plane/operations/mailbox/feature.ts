import type { Platform } from '../../platform.ts'
import { mailboxRoutes } from './routes.ts'
import { mailStore } from './store.ts'

/** How many mails the local mailbox keeps. */
const mailboxSize = 1000

/** What would be sent, where no mail server is set. */
export function mailboxFeature({ db, localMailbox }: Platform) {
  const mails = mailStore(db)
  return {
    routes: mailboxRoutes(mails, localMailbox),
    rounds: [{ seconds: 60, name: 'mails of the mailbox', run: () => mails.prune(mailboxSize) }],
    keep: mails.insert,
  }
}
