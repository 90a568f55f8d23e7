import { advisors, type LintException } from '#contract/observability/advisors'
import { forget, messageOf, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { changesForAll } from './IgnoredNote.tsx'

type Props = {
  projectRef: string
  title: string
  off: LintException | undefined
  onSwitchOff: () => void
}

/** Whether a rule is on, for whom it is off and why, and the switch. */
export function RuleState({ projectRef, title, off, onSwitchOff }: Props) {
  const denial = useDenials(useProject(projectRef))(changesForAll)
  const remove = useCall(advisors.removeException, {
    onSuccess: () => forget(advisors.exceptions),
    onError: (error) => toast.error(messageOf(error)),
  })
  return (
    <span className="rule-state">
      <span className="two-lines">
        <span>{off ? (off.scope === 'person' ? 'Off for you' : 'Off') : 'On'}</span>
        {off?.note && (
          <span className="ell muted t12" title={off.note}>
            {off.note}
          </span>
        )}
      </span>
      {off ? (
        <Button
          busy={remove.isPending}
          disabledReason={off.scope === 'project' && denial}
          aria-label={`Switch on: ${title}`}
          onClick={() => remove.mutate({ ref: projectRef, id: off.id })}
        >
          Switch on
        </Button>
      ) : (
        <Button aria-label={`Switch off: ${title}`} onClick={onSwitchOff}>
          Switch off
        </Button>
      )}
    </span>
  )
}
