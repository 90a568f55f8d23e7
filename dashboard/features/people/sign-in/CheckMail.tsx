import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '#contract/api'
import { q } from '../../../api/client.ts'
import { buttonClass } from '../../../ui/controls/button-class.ts'
import { Icon } from '../../../ui/Icon.tsx'

/** A mail is on its way; nothing more to do here. */
export function CheckMail({ email, children }: { email: string; children: ReactNode }) {
  const { data: platform } = useQuery(q(api.platform.status, {}))
  return (
    <>
      <h1 className="row">
        <Icon of={MailCheck} />
        Check your email
      </h1>
      <div className="auth-note">
        <p className="muted t14">
          We sent an email to <span className="mono">{email}</span>. {children}
        </p>
        {platform?.mailbox && (
          <p className="muted t14">
            This installation sends no email. You can find it in the{' '}
            <a className="link" href="/mailbox">
              local mailbox
            </a>
            .
          </p>
        )}
        <Link to="/sign-in" className={buttonClass({ size: 'form' })}>
          Back to sign in
        </Link>
      </div>
    </>
  )
}
