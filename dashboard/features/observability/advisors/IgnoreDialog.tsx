import { useState } from 'react'
import { advisors } from '#contract/observability/advisors'
import type { LintName } from '#contract/observability/lints'
import { forget, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'
import { TextArea } from '../../../ui/controls/TextArea.tsx'
import { changesForAll } from './IgnoredNote.tsx'

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
    onSuccess: async () => {
      await forget(advisors.exceptions)
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
