import { useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { migrationTools } from '#contract/database/migration-tools'
import { CallError, queryClient, forget } from '../../../api/client.ts'
import { callDatabase } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge, type Tone } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { planOf, type MigrationFile, type PendingState } from './migration-files.ts'
import { allMigrations, ofMigrations } from './queries.ts'

type Props = { projectRef: string; onClose: () => void }

const states: Record<PendingState, { label: string; tone: Tone }> = {
  new: { label: 'Pending', tone: 'info' },
  older: { label: 'Pending, older than the newest', tone: 'warning' },
  applied: { label: 'Applied', tone: 'success' },
  different: { label: 'Applied, but with other SQL', tone: 'danger' },
  unnamed: { label: 'No version in the file name', tone: 'danger' },
  empty: { label: 'Nothing to run', tone: 'neutral' },
  twice: { label: 'Duplicate version', tone: 'danger' },
}

/** Migration files of another place: which are missing here, and one click that runs them in order. */
export function ApplyPanel({ projectRef, onClose }: Props) {
  const recorded = useQuery({
    queryKey: ['migrations.all', projectRef],
    queryFn: () => allMigrations(projectRef),
    staleTime: 0,
  })
  const [files, setFiles] = useState<MigrationFile[]>([])
  const [pasted, setPasted] = useState({ name: '', sql: '' })
  const [older, setOlder] = useState(false)
  const [running, setRunning] = useState<string>()
  const [failed, setFailed] = useState<{ file: string; message: string }>()
  const chooser = useRef<HTMLInputElement>(null)
  const all = pasted.sql.trim()
    ? [...files, { file: pasted.name.trim() || 'pasted.sql', sql: pasted.sql }]
    : files
  const plan = planOf(all, recorded.data ?? [])
  const pending = plan.filter(({ state }) => state === 'new' || (older && state === 'older'))

  async function choose(chosen: FileList | null) {
    const read = await Promise.all(
      [...(chosen ?? [])].map(async (file) => ({ file: file.name, sql: await file.text() })),
    )
    const names = new Set(read.map(({ file }) => file))
    setFiles((now) => [...now.filter(({ file }) => !names.has(file)), ...read])
  }

  async function run() {
    setFailed(undefined)
    for (const { file, version, name, sql } of pending) {
      setRunning(file)
      try {
        await callDatabase(migrationTools.apply, {
          ref: projectRef,
          version,
          name,
          sql,
          out_of_order: older,
        })
      } catch (error) {
        if (!(error instanceof CallError)) throw error
        setFailed({ file, message: error.message })
        break
      }
    }
    setRunning(undefined)
    // Whatever was read of the structure is old now.
    await Promise.all([queryClient.invalidateQueries(), forget(...ofMigrations)])
  }

  async function submit() {
    if (pending.length === 0 || running) return
    await run()
    toast.success('Migrations applied')
  }

  return (
    <SidePanel
      open
      size="xlarge"
      title="Apply migration files"
      onClose={onClose}
      shell={(inside) => (
        <Form error={undefined} pending={running !== undefined} onSubmit={() => void submit()}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Close
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={running !== undefined}
            disabled={pending.length === 0}
          >
            {pending.length === 1 ? 'Apply 1 file' : `Apply ${pending.length} files`}
          </Button>
        </>
      }
    >
      <div className="form-stack">
        <p className="help">
          Name each file by version and name, such as{' '}
          <span className="mono">20260131235959_add_books.sql</span>. Files run in version order.
          Each runs in one transaction with its record: it succeeds as a whole or not at all.
        </p>
        <div>
          <input
            ref={chooser}
            type="file"
            multiple
            accept=".sql"
            className="sr"
            aria-label="Migration files"
            tabIndex={-1}
            onChange={({ target }) => void choose(target.files)}
          />
          <Button icon={Upload} onClick={() => chooser.current?.click()}>
            Choose files
          </Button>
        </div>
        <TextField
          label="Or paste one: its file name"
          mono
          autoComplete="off"
          placeholder="20260131235959_add_books.sql"
          value={pasted.name}
          onChange={({ target }) => setPasted({ ...pasted, name: target.value })}
        />
        <TextArea
          label="Its SQL"
          mono
          rows={6}
          value={pasted.sql}
          onChange={({ target }) => setPasted({ ...pasted, sql: target.value })}
        />
        {plan.length > 0 && (
          <ul className="pending-files" aria-label="Files">
            {plan.map(({ file, state }) => (
              <li key={file}>
                <span className="mono ell grow">{file}</span>
                <Badge tone={states[state].tone}>
                  {running === file ? 'Running' : states[state].label}
                </Badge>
              </li>
            ))}
          </ul>
        )}
        {plan.some(({ state }) => state === 'older') && (
          <Checkbox
            label="Include migrations that are older than the latest applied one"
            checked={older}
            onChange={({ target }) => setOlder(target.checked)}
          />
        )}
        {failed && (
          <Alert variant="danger" title={`${failed.file} was not applied`}>
            {failed.message}. The files before it were applied; those after it were not.
          </Alert>
        )}
      </div>
    </SidePanel>
  )
}
