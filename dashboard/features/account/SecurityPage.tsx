import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { FactorsCard } from './FactorsCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import './account.css'

/** /account/security */
export function SecurityPage() {
  return (
    <Page width="form">
      <PageHead
        title="Security"
        help="Your second factors, your password and where you are signed in."
      />
      <div className="form-stack">
        <FactorsCard />
        <PasswordCard />
        <SessionsCard />
      </div>
    </Page>
  )
}
