import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '#contract/api'
import { useCall } from '../../../api/client.ts'
import { profileQuery } from '../../../session/identity/profile.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { soleOwnershipsQuery } from './account-queries.ts'

/** The end of the account. `onDeleted` signs out. */
export function DeleteAccountCard({ onDeleted }: { onDeleted: () => void }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: owned } = useSuspenseQuery(soleOwnershipsQuery)
  const [asking, setAsking] = useState(false)
  const remove = useCall(api.profile.remove, { onSuccess: onDeleted })
  return (
    <Card title="Delete account" padded={false}>
      {owned.length > 0 && (
        <div className="pad-x">
          <Alert variant="warning" title="Organizations that only you own">
            First make someone else an owner of each organization, or delete it:{' '}
            {owned.map(({ slug, name }, index) => (
              <span key={slug}>
                {index > 0 && ', '}
                <Link className="link" to="/org/$slug" params={{ slug }}>
                  {name}
                </Link>
              </span>
            ))}
            .
          </Alert>
        </div>
      )}
      <div className="set-row">
        <div className="grow">
          <p>Your access tokens, sessions and memberships end at once. This cannot be undone.</p>
        </div>
        <Button
          variant="danger-quiet"
          icon={Trash2}
          disabledReason={owned.length > 0 && 'You are the only owner of an organization'}
          onClick={() => setAsking(true)}
        >
          Delete account
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Delete your account?"
        verb="Delete account"
        typeName={profile.primary_email}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ email: profile.primary_email })}
      >
        <p>
          The account, its access tokens, private snippets and memberships are deleted. Projects and
          shared snippets stay with their organizations.
        </p>
      </ConfirmDialog>
    </Card>
  )
}
