import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '#contract/api'
import type { Organization } from '#contract/organizations/organizations'
import { queryClient, useCall } from '../../../api/client.ts'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { organization: Organization; onDeleted: () => Promise<void> }

export function DeleteCard({ organization, onDeleted }: Props) {
  const { slug, name, project_count: projects } = organization
  const off = useDisabledFeatures()
  const why = useDenials({ organizationSlug: slug })
  const [asking, setAsking] = useState(false)
  const remove = useCall(api.organizations.remove, {
    onSuccess: async () => {
      toast.success(`${name} is deleted`)
      // Elsewhere first: the page cannot stay where its organization is gone.
      await onDeleted()
      queryClient.setQueryData(organizationsQuery.queryKey, (list) =>
        list?.filter((one) => one.id !== organization.id),
      )
    },
  })
  const reason =
    (off('organizations:delete') ? 'Deleting organizations is switched off here' : undefined) ??
    why(api.organizations.remove) ??
    (projects > 0 ? 'Delete or transfer its projects first' : undefined)
  return (
    <Card title="Delete organization" padded={false}>
      <div className="set-row">
        <div className="grow">
          <p>
            Its members, settings and apps are removed. This cannot be undone. It must have no
            projects and no unpaid invoices.
          </p>
        </div>
        <Button
          variant="danger-quiet"
          icon={Trash2}
          disabledReason={reason}
          onClick={() => setAsking(true)}
        >
          Delete organization
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={`Delete ${name}`}
        verb="Delete organization"
        typeName={slug}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ slug })}
      >
        <p>This deletes the organization. It cannot be undone.</p>
        <ul className="lost">
          <li>Its members and their roles</li>
          <li>Its plan and settings</li>
          <li>The apps it has published: they stop working everywhere</li>
        </ul>
      </ConfirmDialog>
    </Card>
  )
}
