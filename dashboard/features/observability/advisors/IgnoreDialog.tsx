import { useState } from 'react'
import { advisors, type LintException } from '#contract/observability/advisors'
import type { LintName } from '#contract/observability/lints'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Time } from '../../../ui/text/Time.tsx'

type Props = {
  projectRef: string
  /** Without `cache_key` the whole rule. */
  finding: { name: LintName; title: string; detail?: string; cache_key?: string }
  onClose: () => void
  onDone: () => void
}

/** Puts a finding or a rule aside, with a note why. */
export function IgnoreDialog({ projectRef, finding, onClose, onDone }: Props) {
  const { name, title, detail, cache_key } = finding
  const [note, setNote] = useState('')
  const denial = useDenials(useProject(projectRef))(changesForAll)
  const [scope, setScope] = useState<'project' | 'person'>(denial ? 'person' : 'project')
  const add = useCall(advisors.addException, {
    changes: [advisors.exceptions],
    onSuccess: () => {
      onDone()
    },
  })
  return (
    <FormDialog
      title={cache_key === undefined ? 'Switch off rule' : 'Ignore finding'}
      verb={cache_key === undefined ? 'Switch off' : 'Ignore'}
      pending={add.isPending}
      onClose={onClose}
      onSubmit={() =>
        add.mutate({
          ref: projectRef,
          lint_name: name,
          scope,
          note,
          ...(cache_key === undefined ? {} : { cache_key }),
        })
      }
    >
      <div className="form-stack">
        <p>
          {title}
          {detail && <span className="muted"> – {detail}</span>}
        </p>
        <RadioGroup label="For whom">
          <Radio
            name="scope"
            label={
              denial
                ? `Everyone in this project (${denial.toLowerCase()})`
                : 'Everyone in this project'
            }
            checked={scope === 'project'}
            disabled={denial !== undefined}
            onChange={() => setScope('project')}
          />
          <Radio
            name="scope"
            label="Only me"
            checked={scope === 'person'}
            onChange={() => setScope('person')}
          />
        </RadioGroup>
        <TextArea
          label="Note"
          help="Why this is acceptable here."
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {add.error && <Alert variant="danger" title={add.error.message} />}
      </div>
    </FormDialog>
  )
}

type IgnoredNoteProps = { projectRef: string; exception: LintException }

/** Who put a finding (or its rule) aside, why, and the way back. */
export function IgnoredNote({ projectRef, exception }: IgnoredNoteProps) {
  const { id, note, scope, created_by, inserted_at, cache_key } = exception
  const denials = useDenials(useProject(projectRef))
  const remove = useCall(advisors.removeException, {
    changes: [advisors.exceptions],
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
