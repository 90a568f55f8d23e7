import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { DeleteAccountCard } from './DeleteAccountCard.tsx'
import { IdentitiesCard } from './IdentitiesCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { userQuery } from './account-data.ts'
import { EmailDialog } from './EmailDialog.tsx'
import { PendingEmail } from './PendingEmail.tsx'
import './account.css'

/** /account/me */
export function ProfilePage({ onDeleted }: { onDeleted: () => void }) {
  const off = useDisabledFeatures()
  return (
    <Page width="form">
      <PageHead title="Profile" help="Your personal details and how you sign in." />
      <div className="form-stack">
        {!off('profile:show_information') && <ProfileCard />}
        {!off('profile:show_email') && <EmailCard />}
        <IdentitiesCard />
        {!off('profile:show_account_deletion') && <DeleteAccountCard onDeleted={onDeleted} />}
      </div>
    </Page>
  )
}

/** The address one signs in with, and a change of it that waits to be confirmed. */
function EmailCard() {
  const { data: user } = useSuspenseQuery(userQuery)
  const [changing, setChanging] = useState(false)
  const managed = user.app_metadata.provider?.startsWith('sso') ?? false
  return (
    <Card title="Email" padded={false}>
      {user.new_email && <PendingEmail user={user} newEmail={user.new_email} />}
      <div className="set-row">
        <div className="grow">
          <span className="med ell">{user.email}</span>
          <p>Used for sign-in, invitations and notifications.</p>
        </div>
        <Button
          disabledReason={managed && 'Your organization manages this account'}
          onClick={() => setChanging(true)}
        >
          Change email
        </Button>
      </div>
      <EmailDialog open={changing} current={user.email ?? ''} onClose={() => setChanging(false)} />
    </Card>
  )
}
