import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'

type Props = { id: number; email: string; onAgain: () => void }

export function Sent({ id, email, onAgain }: Props) {
  return (
    <Page width="form">
      <PageHead title="Request sent" />
      <div className="card">
        <EmptyState
          icon={MailCheck}
          title={`Request #${id} is on its way`}
          action={
            <span className="acts">
              <Button onClick={onAgain}>Send another</Button>
              <Link to="/organizations" className="btn pri">
                Back to the dashboard
              </Link>
            </span>
          }
        >
          We will reply by email to {email}.
        </EmptyState>
      </div>
    </Page>
  )
}
