import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../api/client.ts'
import { MailboxPage } from '../features/mailbox/MailboxPage.tsx'
import { mailsQuery } from '../features/mailbox/queries.ts'

export const Route = createFileRoute('/mailbox')({
  loader: () => queryClient.ensureQueryData(mailsQuery),
  component: MailboxPage,
})
