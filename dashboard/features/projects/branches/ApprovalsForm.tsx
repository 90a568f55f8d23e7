import { useState } from 'react'
import type { BranchSettings } from '#contract/projects/branches'
import { maxApprovals } from '#contract/projects/merge-requests'
import { Card } from '../../../ui/Card.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useBranchSettings } from './queries.ts'

type Props = { projectRef: string; denied: string | undefined; settings: BranchSettings }

/** How many have to approve a branch before anybody merges it. */
export function ApprovalsForm({ projectRef, denied, settings }: Props) {
  const saved = String(settings.merge_approvals)
  const [text, setText] = useState(saved)
  const save = useBranchSettings(() => toast.success('The approvals of merges are saved'))
  const count = Number(text)
  const isWhole =
    text.trim() !== '' && Number.isInteger(count) && count >= 0 && count <= maxApprovals
  const dirty = text !== saved
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={() => {
        if (dirty && isWhole && !denied)
          save.mutate({ ref: projectRef, ...settings, merge_approvals: count })
      }}
    >
      <Card
        title="Approvals"
        footer={
          <SaveCancel
            dirty={dirty}
            pending={save.isPending}
            reason={denied}
            onCancel={() => {
              setText(saved)
              save.reset()
            }}
          />
        }
      >
        <div className="branch-hours">
          <TextField
            label="Approvals before a merge"
            inputMode="numeric"
            autoComplete="off"
            value={text}
            disabled={denied !== undefined}
            error={isWhole ? undefined : `Enter a number from 0 to ${maxApprovals}`}
            help="With 0 a branch is merged without a request. An approval counts for what the branch has at that moment, and not from whoever made the request."
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      </Card>
    </Form>
  )
}
