import type { Factor } from '@supabase/auth-js'
import { useSuspenseQuery } from '@tanstack/react-query'
import { KeyRound, Plus, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Icon } from '../../../../ui/Icon.tsx'

import { factorsQuery } from '../account-data.ts'
import { Ago } from '../../../../ui/text/Ago.tsx'
import { AddFactorDialog } from './AddFactorDialog.tsx'
import { RemoveFactorDialog } from './RemoveFactorDialog.tsx'

/** As many as the auth service keeps for one person. */
const mostFactors = 10

/** The authenticator apps that a sign-in asks for. */
export function FactorsCard() {
  const { data: factors } = useSuspenseQuery(factorsQuery)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Factor>()
  const add = (
    <Button
      icon={Plus}
      disabledReason={factors.length >= mostFactors && `You already have ${mostFactors} apps`}
      onClick={() => setAdding(true)}
    >
      Add app
    </Button>
  )
  return (
    <Card title="Two-factor authentication" end={factors.length > 0 && add} padded={false}>
      {factors.length === 0 && (
        <EmptyState icon={ShieldCheck} title="No second factor yet" action={add}>
          With an authenticator app, your password alone is not enough to sign in as you.
        </EmptyState>
      )}
      {factors.length === 1 && (
        <div className="pad-x">
          <Alert variant="info" title="Add a second app">
            If you lose this one, the other still lets you in. Recovery codes do, too.
          </Alert>
        </div>
      )}
      {factors.map((factor) => (
        <div className="set-row" key={factor.id}>
          <Icon of={KeyRound} size="s" />
          <div className="grow">
            <span className="med ell">{nameOf(factor)}</span>
            <p>
              Added <Ago at={factor.created_at} />
            </p>
          </div>
          <Button aria-label={`Remove ${nameOf(factor)}`} onClick={() => setLeaving(factor)}>
            Remove
          </Button>
        </div>
      ))}
      <AddFactorDialog open={adding} taken={factors.map(nameOf)} onClose={() => setAdding(false)} />
      {leaving && (
        <RemoveFactorDialog
          factor={leaving}
          factors={factors}
          nameOf={nameOf}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Card>
  )
}

const nameOf = (factor: Factor): string => factor.friendly_name || 'Authenticator app'
