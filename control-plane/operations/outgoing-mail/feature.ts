import type { Platform } from '../../platform.ts'
import { createOutgoingMail } from './outgoing-mail.ts'
import { outgoingMailStore } from './store.ts'

/** How long it is known that a mail was sent: a week, in milliseconds. */
const mailMemory = 7 * 24 * 3600 * 1000

/** The platform's own mails. */
export function outgoingMailFeature({ db, secrets, jobs, sendMail }: Platform) {
  const store = outgoingMailStore(db)
  const mail = createOutgoingMail({ store, secrets, acceptJob: jobs.accept, send: sendMail })
  return {
    queue: mail.queue,
    workflows: mail.workflows,
    rounds: [
      {
        seconds: 60,
        name: 'mails that were sent',
        run: () => store.prune(new Date(Date.now() - mailMemory)),
      },
    ],
  }
}
