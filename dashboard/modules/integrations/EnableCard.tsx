import type { ReactNode } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import type { Endpoint } from '#contract/endpoint'
import { useDatabaseCall } from '../../session/project/database.ts'
import { useDenials } from '../../session/organization/permissions.ts'
import { useProject } from '../../session/project/project.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { toast } from '../../ui/floats/toast.ts'
import type { IconType } from '../../ui/Icon.tsx'

type Props = {
  projectRef: string
  icon: IconType
  /** As on its button: "Cron". */
  name: string
  /** That it is not there yet. */
  title: string
  /** The extension that it lives by. */
  extension: string
  /** What is said when it is there, as "Cron is enabled". */
  done: string
  /** What the page reads. */
  changes: readonly Endpoint[]
  /** What enabling it makes in the database. */
  children: ReactNode
}

/** In the place of an integration whose extension the database does not have yet: what it makes, and the button. */
export function EnableCard(props: Props) {
  const { projectRef, icon, name, title, extension, done, changes, children } = props
  const denied = useDenials(useProject(projectRef))
  const enable = useDatabaseCall(databaseObjects.createExtension, {
    changes: [...changes, databaseObjects.extensions],
    onSuccess: () => {
      toast.success(done)
    },
  })
  return (
    <div className="card">
      <EmptyState
        icon={icon}
        title={title}
        action={
          <Button
            variant="primary"
            busy={enable.isPending}
            disabledReason={denied(databaseObjects.createExtension)}
            onClick={() => enable.mutate({ ref: projectRef, name: extension })}
          >
            Enable {name}
          </Button>
        }
      >
        {children}
      </EmptyState>
      {enable.error && <Alert variant="danger" title={enable.error.message} />}
    </div>
  )
}
