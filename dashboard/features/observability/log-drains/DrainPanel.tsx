import { Send } from 'lucide-react'
import { useState } from 'react'
import type { LogDrain, LogDrainTest } from '#contract/observability/log-drain-shapes'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { DrainFields } from './DrainFields.tsx'
import type { Destination } from './destinations.ts'
import { configOf, draftOf, problemsIn, problemsOf, type Draft } from './drain-draft.ts'
import { useSave, useTest, type Owner } from './queries.ts'

type Props = {
  owner: Owner
  /** What adding one costs; undefined where nothing is paid for. */
  price: string | undefined
  destination: Destination
  /** Undefined for one that is to be added. */
  drain: LogDrain | undefined
  onClose: () => void
}

/** Adds a drain, or changes one. */
export function DrainPanel({ owner, price, destination, drain, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(destination, drain))
  const [problems, setProblems] = useState<Record<string, string>>({})
  const onError = ({ message }: Error) => setProblems(problemsOf(message, destination))
  const save = useSave(owner, ({ name }) => {
    toast.success(drain ? `${name} is saved` : `${name} is added`)
    onClose()
  })
  const test = useTest(owner)
  const { type, title } = destination

  function change(next: Draft) {
    setDraft(next)
    setProblems({})
    test.reset()
  }
  function check(): boolean {
    const found = problemsIn(destination, draft, drain)
    setProblems(found)
    return Object.keys(found).length === 0
  }
  function submit() {
    if (!check()) return
    const { name, description } = draft
    const given = { name: name.trim(), description, config: configOf(destination, draft, drain) }
    save.mutate(drain ? { ...given, token: drain.token } : { ...given, type }, { onError })
  }
  function send() {
    if (!check()) return
    const config = configOf(destination, draft, drain)
    test.mutate({ type, config, ...(drain && { token: drain.token }) }, { onError })
  }
  const rest = problems['']
  return (
    <FormPanel
      title={drain ? `Edit ${drain.name}` : `Add ${title} log drain`}
      size="large"
      verb={drain ? 'Save log drain' : 'Add log drain'}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">{destination.about}.</p>
      <DrainFields
        destination={destination}
        drain={drain}
        draft={draft}
        problems={problems}
        onDraft={change}
      />
      {rest !== undefined && <Alert variant="danger" title={rest} />}
      <div className="form-stack">
        <div>
          <Button icon={Send} busy={test.isPending} onClick={send}>
            Send a test entry
          </Button>
        </div>
        {test.data && <TestResult result={test.data} />}
      </div>
      {!drain && price !== undefined && (
        <Alert variant="info" title="What it costs">
          {price}
        </Alert>
      )}
    </FormPanel>
  )
}

function TestResult({ result: { ok, status, detail, milliseconds } }: { result: LogDrainTest }) {
  const answer = status === null ? '' : ` with status ${status}`
  return (
    <output className="drain-test">
      <Alert
        variant={ok ? 'success' : 'danger'}
        title={
          ok
            ? `The destination accepted the test entry${answer}, in ${Math.round(milliseconds)} ms`
            : status === null
              ? 'The destination could not be reached'
              : `The destination refused the test entry${answer}`
        }
      >
        {detail !== '' && <span className="mono drain-answer">{detail}</span>}
      </Alert>
    </output>
  )
}
