import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Branch } from '#contract/projects/branches'
import { mergeRequests } from '#contract/projects/merge-requests'
import { profileQuery } from '../../../session/identity/profile.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { reviewersQuery, useRequestCall } from './queries.ts'

/** Asks for the merge of a branch, and names who is to look at it. */
export function RequestForm({ branch, onClose }: { branch: Branch; onClose: () => void }) {
  const ref = branch.parent_project_ref
  const { data: me } = useSuspenseQuery(profileQuery)
  const members = useQuery(reviewersQuery(ref))
  const others = members.data?.reviewers.filter(({ id }) => id !== me.gotrue_id)
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [tried, setTried] = useState(false)
  const create = useRequestCall(mergeRequests.create, onClose)
  const problem = title.trim() === '' ? 'Enter a title' : undefined
  return (
    <FormDialog
      title={`Request to merge ${branch.name}`}
      verb="Request merge"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (problem === undefined)
          create.mutate({ ref, branch_id: branch.id, title, description, reviewers: [...chosen] })
      }}
    >
      <div className="form-stack">
        <TextField
          label="Title"
          autoComplete="off"
          maxLength={200}
          value={title}
          error={tried ? problem : undefined}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label="Description"
          maxLength={5000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className="branch-reviewers">
          <legend className="med">Reviewers</legend>
          {others?.map(({ id, email }) => (
            <Checkbox
              key={id}
              label={email ?? id}
              checked={chosen.includes(id)}
              onChange={(event) =>
                setChosen(
                  event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id),
                )
              }
            />
          ))}
          {others?.length === 0 && (
            <p className="muted">No other member of the organization can merge this branch.</p>
          )}
          {members.error && <Alert variant="danger" title={members.error.message} />}
        </fieldset>
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}
