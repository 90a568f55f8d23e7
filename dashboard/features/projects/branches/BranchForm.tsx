import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  branches,
  branchNameProblem,
  branchStarts,
  type Branch,
  type BranchStart,
} from '#contract/projects/branches'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { branchSettingsQuery, useBranchCall } from './queries.ts'

type Props = {
  projectRef: string
  /** Without it one is made. */
  branch?: Branch | undefined
  names: readonly string[]
  /** What an hour of a branch costs; undefined where nothing is charged. */
  price: string | undefined
  onClose: () => void
}

/** Makes a branch, or changes what it is called and whether it stays. */
export function BranchForm({ projectRef, branch, names, price, onClose }: Props) {
  const [name, setName] = useState(branch?.name ?? '')
  const [git, setGit] = useState(branch?.git_branch ?? '')
  const [persistent, setPersistent] = useState(branch?.persistent ?? false)
  const [start, setStart] = useState<BranchStart>('migrations')
  const [tried, setTried] = useState(false)
  const create = useBranchCall(branches.create, ({ name: made }) => {
    toast.success(`${made} is being created`)
    onClose()
  })
  const update = useBranchCall(branches.update, ({ name: changed }) => {
    toast.success(`${changed} is saved`)
    onClose()
  })
  const trimmed = name.trim()
  const isTaken = names.some(
    (known) => known !== branch?.name && known.toLowerCase() === trimmed.toLowerCase(),
  )
  const problem =
    branchNameProblem(trimmed) ?? (isTaken ? `There is a branch called ${trimmed}` : undefined)
  const { error, isPending } = branch ? update : create

  function submit() {
    setTried(true)
    if (problem) return
    const values = { ref: projectRef, name: trimmed, persistent, git_branch: git.trim() || null }
    if (branch) update.mutate({ ...values, id: branch.id })
    else create.mutate({ ...values, starts_with: start })
  }
  return (
    <FormDialog
      title={branch ? `Edit ${branch.name}` : 'Create a branch'}
      verb={branch ? 'Save branch' : 'Create branch'}
      pending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {!branch && (
        <p>
          A branch is a copy of this project for one change: a database of its own, the same
          functions, and keys of its own.
        </p>
      )}
      <TextField
        label="Name"
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={tried ? problem : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Git branch"
        mono
        autoComplete="off"
        spellCheck={false}
        labelEnd={<span className="muted t12">Optional</span>}
        help="The branch in your repository that it belongs to. It is a note: nothing is read from there."
        value={git}
        onChange={(event) => setGit(event.target.value)}
      />
      {!branch && <StartChoice projectRef={projectRef} value={start} onChange={setStart} />}
      <Checkbox
        label="Persistent: it stays after a merge and is never paused, such as for staging"
        checked={persistent}
        onChange={(event) => setPersistent(event.target.checked)}
      />
      {!branch && price && <p className="muted">It costs {price} for as long as it exists.</p>}
      {error && <Alert variant="danger" title={error.message} />}
    </FormDialog>
  )
}

const startWords: Record<BranchStart, { name: string; about: string }> = {
  migrations: {
    name: 'Migrations of main',
    about: 'They are run one by one in an empty database.',
  },
  schema: {
    name: 'Structure of main',
    about: 'All tables, functions and policies, also those in no migration. No rows.',
  },
  data: { name: 'Data of main', about: 'A copy with all rows and users. Files are not copied.' },
}
type StartProps = {
  projectRef: string
  value: BranchStart
  onChange: (start: BranchStart) => void
}

/** What a new branch has of main. */
function StartChoice({ projectRef, value, onChange }: StartProps) {
  const { data } = useQuery(branchSettingsQuery(projectRef))
  const count = data?.masks.length ?? 0
  const masked = count === 1 ? ' 1 column is masked.' : ` ${count} columns are masked.`
  return (
    <RadioGroup label="Starts with">
      {branchStarts.map((start) => (
        <Radio
          key={start}
          name="start"
          label={startWords[start].name}
          help={startWords[start].about + (start === 'data' && count > 0 ? masked : '')}
          checked={value === start}
          onChange={() => onChange(start)}
        />
      ))}
    </RadioGroup>
  )
}
