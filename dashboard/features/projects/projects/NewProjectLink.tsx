import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { api } from '#contract/api'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { buttonClass } from '../../../ui/controls/button-class.ts'
import { Icon } from '../../../ui/Icon.tsx'

/** Leads to the form of a new project, or says why this person may not make one. */
export function NewProjectLink({ slug }: { slug: string }) {
  const off = useDisabledFeatures()
  const denied = useDenials({ organizationSlug: slug })(api.projects.create)
  const reason = off('projects:create') ? 'New projects are switched off here' : denied
  if (reason)
    return (
      <Button variant="primary" icon={Plus} disabledReason={reason}>
        New project
      </Button>
    )
  return (
    <Link to="/new/$slug" params={{ slug }} className={buttonClass({ variant: 'primary' })}>
      <Icon of={Plus} />
      New project
    </Link>
  )
}
