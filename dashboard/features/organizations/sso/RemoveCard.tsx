import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { sso as api } from '#contract/organizations/sso'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { useSsoChange } from './queries.ts'

type Props = { slug: string; onRemoved: () => void }

export function RemoveCard({ slug, onRemoved }: Props) {
  const reason = useDenials({ organizationSlug: slug })(api.remove)
  const [asking, setAsking] = useState(false)
  const remove = useSsoChange(api.remove, slug, 'Single sign-on is removed', () => {
    setAsking(false)
    onRemoved()
  })
  return (
    <Card title="Remove single sign-on" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>People who sign in through it are signed out and cannot sign in that way any more.</p>
        </div>
        <Button
          variant="danger-quiet"
          icon={Trash2}
          disabledReason={reason}
          onClick={() => setAsking(true)}
        >
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title="Remove single sign-on?"
        verb="Remove single sign-on"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ slug })}
      >
        <p>The connection to your identity provider is deleted.</p>
        <ul className="lost">
          <li>People who came through it stay members, but are signed out and cannot sign in</li>
          <li>Your domain verification is deleted</li>
        </ul>
      </ConfirmDialog>
    </Card>
  )
}
