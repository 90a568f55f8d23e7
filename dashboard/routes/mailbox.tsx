import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../api/client.ts'
import { MailboxPage } from '../features/operations/mailbox/MailboxPage.tsx'
import { mailsQuery } from '../features/operations/mailbox/queries.ts'
import { useTitle } from '../shell/use-page.ts'

export const Route = createFileRoute('/mailbox')({
  staticData: { title: 'Mailbox' },
  loader: () => queryClient.ensureQueryData(mailsQuery),
  component: Page,
})

function Page() {
  useTitle()
  return <MailboxPage />
}
