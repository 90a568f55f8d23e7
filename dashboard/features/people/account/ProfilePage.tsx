import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { DeleteAccountCard } from './DeleteAccountCard.tsx'
import { EmailCard } from './EmailCard.tsx'
import { IdentitiesCard } from './IdentitiesCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
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
