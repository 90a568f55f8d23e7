import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { api } from '#contract/api'
import { useDenials } from '../../session/permissions.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { Icon } from '../../ui/Icon.tsx'

/** Leads to the form of a new project, or says why this person may not make one. */
export function NewProjectLink({ slug }: { slug: string }) {
  const reason = useDenials({ organizationSlug: slug })(api.projects.create)
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
