import { useSuspenseQuery } from '@tanstack/react-query'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { factorsQuery } from './account-data.ts'
import { FactorsCard } from './factors/FactorsCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { RecoveryCodesCard } from './factors/RecoveryCodesCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import './account.css'

/** /account/security */
export function SecurityPage() {
  const { data: factors } = useSuspenseQuery(factorsQuery)
  return (
    <Page width="form">
      <PageHead
        title="Security"
        help="Your second factors, your password and where you are signed in."
      />
      <div className="form-stack">
        <FactorsCard />
        {factors.length > 0 && <RecoveryCodesCard />}
        <PasswordCard />
        <SessionsCard />
      </div>
    </Page>
  )
}
