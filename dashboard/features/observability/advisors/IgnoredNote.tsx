import { advisors, type LintException } from '#contract/observability/advisors'
import { forget, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Time } from '../../../ui/text/Time.tsx'

type Props = { projectRef: string; exception: LintException }

/** Who put a finding (or its rule) aside, why, and the way back. */
export function IgnoredNote({ projectRef, exception }: Props) {
  const { id, note, scope, created_by, inserted_at, cache_key } = exception
  const denials = useDenials(useProject(projectRef))
  const remove = useCall(advisors.removeException, {
    onSuccess: () => forget(advisors.exceptions),
  })
  const what = cache_key === null ? 'The whole rule is' : 'This finding is'
  return (
    <Alert
      variant="info"
      title={`${what} ignored ${scope === 'person' ? 'by you' : 'in this project'}`}
      action={
        <Button
          busy={remove.isPending}
          disabledReason={scope === 'project' && denials(changesForAll)}
          onClick={() => remove.mutate({ ref: projectRef, id })}
        >
          Show again
        </Button>
      }
    >
      {note && <span className="finding-note">{note}</span>}
      <span className="t12">
        {created_by}, <Time at={inserted_at} />
      </span>
      {remove.error && <span role="alert">{remove.error.message}</span>}
    </Alert>
  )
}

/** What holds for everybody takes the right to change the database. */
export const changesForAll = {
  needs: {
    action: 'tenant:Sql:Admin:Write' as const,
    resource: 'advisors',
    in: 'project' as const,
  },
}
