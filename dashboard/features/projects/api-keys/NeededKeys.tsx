import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeys } from '#contract/projects/api-keys'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofKeys, neededQuery } from './queries.ts'

/** Whether requests need a key at all. */
export function NeededKeys({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const unreadable = why(apiKeys.needed)
  const { data } = useQuery({ ...neededQuery(projectRef), enabled: !unreadable })
  const [asking, setAsking] = useState(false)
  const set = useCall(apiKeys.setNeeded, {
    changes: ofKeys,
    onSuccess: ({ needed }) => {
      setAsking(false)
      toast.success(needed ? 'Requests need a key' : 'Requests need no key')
    },
  })
  if (unreadable) return null
  if (!data) return <Skeleton width="100%" height={120} />
  const verb = data.needed ? 'Allow requests without a key' : 'Require a key'
  return (
    <Card
      title={data.needed ? 'Requests need a key' : 'Requests need no key'}
      footer={
        <Button
          size="form"
          variant={data.needed ? 'danger' : 'secondary'}
          disabledReason={why(apiKeys.setNeeded)}
          onClick={() => setAsking(true)}
        >
          {verb}
        </Button>
      }
    >
      <p className="muted">
        {data.needed
          ? 'Requests without a key of this project are refused with 401. If an app was built for a data API without keys, you can allow requests without a key.'
          : 'Requests without a key run as the anonymous role, anon. Grants and row level security decide what they see.'}
      </p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={verb}
        verb={verb}
        danger={data.needed}
        error={set.error?.message}
        pending={set.isPending}
        onConfirm={() => set.mutate({ ref: projectRef, needed: !data.needed })}
      >
        {data.needed ? (
          <p>
            Everybody who knows the address of this project reaches what the role anon may see and
            do, as with a publishable key, which everybody can read too.
          </p>
        ) : (
          <p>Clients that send no key are refused from their next request.</p>
        )}
      </ConfirmDialog>
    </Card>
  )
}
