import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'

/** /org/{slug} for a member without the second factor that the organization asks for (requirements §6). */
export function MfaNeeded({ slug }: { slug: string }) {
  const { name } = useOrganization(slug)
  return (
    <Page>
      <PageHead title={name} help="Sign in with a second factor to open its pages." />
      <div className="card">
        <EmptyState
          icon={ShieldAlert}
          title="This organization requires two-factor authentication"
          action={
            <Link to="/account/security" className={buttonClass({ variant: 'primary' })}>
              Set up a second factor
            </Link>
          }
        >
          Add an authenticator app to your account and confirm it with a code. From then on, you
          enter a code when you sign in, and can open everything in {name}.
        </EmptyState>
      </div>
    </Page>
  )
}
