import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { factorsQuery, userQuery } from './account-data.ts'
import { FactorsCard } from './factors/FactorsCard.tsx'
import { RecoveryCodesCard } from './factors/RecoveryCodesCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { PasswordDialog } from './PasswordDialog.tsx'
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

/** The password: set, changed, or none because one signs in elsewhere. */
function PasswordCard() {
  const { data: user } = useSuspenseQuery(userQuery)
  const [changing, setChanging] = useState(false)
  const identities = user.identities ?? []
  const managed = identities.some(({ provider }) => provider.startsWith('sso'))
  const has = identities.some(({ provider }) => provider === 'email')
  return (
    <Card title="Password" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>
            {has
              ? 'Your other sessions end when you change it.'
              : 'You sign in without a password. Setting one adds a sign-in method.'}
          </p>
        </div>
        <Button
          disabledReason={managed && 'Your organization manages this account'}
          onClick={() => setChanging(true)}
        >
          {has ? 'Change password' : 'Set password'}
        </Button>
      </div>
      <PasswordDialog open={changing} email={user.email ?? ''} onClose={() => setChanging(false)} />
    </Card>
  )
}
