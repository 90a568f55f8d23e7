import { useState } from 'react'
import { domains as api, type CustomHostname } from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useChangeNames } from './queries.ts'

type Props = { project: Project; custom: CustomHostname }

export function DeleteHostname({ project, custom: { hostname, status } }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const isActive = status === 'active'
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const remove = useChangeNames(api.remove, ref, () => toast.success(`${hostname} was deleted`))
  return (
    <>
      <Button
        size="form"
        disabledReason={why(api.remove)}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Delete hostname
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Delete custom hostname"
          verb="Delete hostname"
          {...(isActive && { typeName: hostname })}
          error={remove.error?.message}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ ref })}
        >
          <p>
            {isActive
              ? `Apps that use ${hostname} stop working, and links in emails that were sent break. `
              : ''}
            If you add the hostname again, it gets a new TXT record. Remove the CNAME record from
            your DNS afterwards.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
