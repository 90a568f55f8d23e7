import { useSuspenseQuery } from '@tanstack/react-query'
import { MailOpen, RefreshCw } from 'lucide-react'
import type { Mail } from '#contract/operations/mailbox'
import { useContent } from '../../../session/organization/mode.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { mailsQuery } from './queries.ts'
import './mailbox.css'

/** /mailbox: the mails that were kept because no mail server is set. */
export function MailboxPage() {
  const { data: mails, refetch, isFetching } = useSuspenseQuery(mailsQuery)
  const { app_title: app } = useContent()
  return (
    <Page width="form">
      <p className="mailbox-brand">
        <Logo size={20} /> {app}
      </p>
      <PageHead
        title="Mailbox"
        help="Without a mail server, emails are kept here. Only this machine can see them."
        actions={
          <Button icon={RefreshCw} busy={isFetching} onClick={() => void refetch()}>
            Refresh
          </Button>
        }
      />
      {mails.length === 0 ? (
        <EmptyState icon={MailOpen} title="No emails yet">
          Request a new password or invite someone, and the email appears here.
        </EmptyState>
      ) : (
        <ul className="sections">
          {mails.map((mail) => (
            <MailCard key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
    </Page>
  )
}

const MailCard = ({ mail }: { mail: Mail }) => (
  <li className="card mail">
    <div className="mail-head">
      <h2>{mail.subject}</h2>
      <p className="muted t12">
        To <span className="mono">{mail.recipient}</span>
        {mail.tenant !== 'platform' && (
          <>
            {' '}
            from project <span className="mono">{mail.tenant}</span>
          </>
        )}
        , <time dateTime={mail.sent_at}>{new Date(mail.sent_at).toLocaleString('en')}</time>
      </p>
    </div>
    <p className="mail-text">
      {partsOf(mail.text).map(({ text, href }, index) =>
        href ? (
          <a key={index} className="link" href={href} rel="noreferrer">
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </p>
  </li>
)

type Part = { text: string; href?: string }

const address = /https?:\/\/[^\s<>"]+/g

/** A mail's plain text cut into words and web addresses, so that addresses can be links without any HTML of the mail. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const match of text.matchAll(address)) {
    const href = match[0].replace(/[.,;:!?)\]]+$/, '')
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: href, href })
    from = match.index + href.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
